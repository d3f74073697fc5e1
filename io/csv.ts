import { parse } from "csv-parse/sync";
import { GradusError, messageOf } from "../core/errors.ts";
import { readBytes } from "./files.ts";

/** A CSV file read whole: its rows with as many cells as each has, and how its bytes were decoded. */
export interface CsvFile {
  readonly encoding: "utf-8" | "windows-1252";
  readonly rows: readonly (readonly string[])[];
}

/**
 * Reads a small comma-separated file. Bytes that are not UTF-8 are taken for Windows-1252; a byte order
 * mark and empty lines are passed over; rows may differ in length.
 * @throws CSV_MALFORMED, and as `readBytes`.
 */
export async function readCsv(file: string): Promise<CsvFile> {
  const { text, encoding } = decode(await readBytes(file));
  try {
    const rows = parse(text, { relax_column_count: true, relax_quotes: true, skip_empty_lines: true });
    return { encoding, rows };
  } catch (thrown) {
    throw new GradusError("CSV_MALFORMED", `cannot read ${file} as CSV: ${messageOf(thrown)}`, {
      site: { file },
      hint: "open the file and look for a quote that is not closed",
      cause: thrown,
    });
  }
}

function decode(bytes: Uint8Array): { text: string; encoding: CsvFile["encoding"] } {
  try {
    return { text: new TextDecoder("utf-8", { fatal: true }).decode(bytes), encoding: "utf-8" };
  } catch {
    return { text: decodeWindows1252(bytes), encoding: "windows-1252" };
  }
}

/** The characters of bytes 0x80 to 0x9F; the five that the code page leaves open are the control characters. */
const UPPER_CONTROLS = "€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008DŽ\u008F\u0090‘’“”•–—˜™š›œ\u009DžŸ";

/** Node's own decoder of this name reads Latin-1 in some versions, so the table is here. */
function decodeWindows1252(bytes: Uint8Array): string {
  const latin = Buffer.from(bytes).toString("latin1");
  return latin.replaceAll(/[\u0080-\u009F]/g, (character) =>
    UPPER_CONTROLS.charAt(character.charCodeAt(0) - 0x80),
  );
}
