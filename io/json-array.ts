import { createReadStream } from "node:fs";
import { open, stat } from "node:fs/promises";
import { pipeline } from "node:stream";
import Parser from "stream-json/Parser.js";
import StreamArray from "stream-json/streamers/StreamArray.js";
import { GradusError, messageOf } from "../core/errors.ts";
import { fileError, readText, systemCode } from "./files.ts";
import { readJsonLines } from "./jsonl.ts";

/** One element of a JSON array, or one line of JSON Lines; `index` counts from 0. */
export interface JsonRow {
  readonly value: unknown;
  readonly index: number;
}

/** Bytes within which a malformed place is told. */
const PIECE = 512;
const BYTE_ORDER_MARK = "\uFEFF";

/**
 * The elements of a file that holds one JSON array, in bounded memory; a file whose first character is `{`
 * is read as JSON Lines. A byte order mark is passed over.
 * @throws FILE_MISSING, FILE_FORBIDDEN, FILE_FAILED for a file that cannot be read.
 * @throws JSON_MALFORMED with the place for one that ends early or is neither.
 * @throws JSONL_MALFORMED with the line.
 */
export async function* readJsonRows(file: string): AsyncGenerator<JsonRow> {
  const { first, start } = await firstCharacter(file);
  if (first === "{") {
    let index = 0;
    for await (const { value } of readJsonLines(file)) {
      yield { value, index };
      index += 1;
    }
    return;
  }
  if (first !== "[") {
    const got = first === "" ? "nothing" : JSON.stringify(first);
    throw malformed(file, `it starts with ${got}, expected "[" of an array or "{" of JSON Lines`, undefined);
  }
  yield* readArray(file, start);
}

/** The value of a JSON file read whole. Throws as {@link readJsonRows}. */
export async function readJson(file: string): Promise<unknown> {
  const text = await readText(file);
  try {
    return JSON.parse(text) as unknown;
  } catch (thrown) {
    throw malformed(file, messageOf(thrown), thrown);
  }
}

async function* readArray(file: string, start: number): AsyncGenerator<JsonRow> {
  const input = createReadStream(file, { start, highWaterMark: 1 << 16 });
  const rows = pipeline(input, new Parser({ streamValues: false }), new StreamArray(), () => undefined);
  try {
    for await (const row of rows) {
      const { key, value } = row as { key: number; value: unknown };
      yield { value, index: key };
    }
  } catch (thrown) {
    if (systemCode(thrown) !== undefined) throw fileError("read", file, thrown);
    throw malformed(file, await locate(file, start, thrown), thrown);
  } finally {
    input.destroy();
  }
}

/** The first character that is not white space, and where the text starts behind a byte order mark. */
async function firstCharacter(file: string): Promise<{ first: string; start: number }> {
  try {
    const handle = await open(file, "r");
    try {
      const { bytesRead, buffer } = await handle.read(Buffer.alloc(4096), 0, 4096, 0);
      const text = buffer.toString("utf8", 0, bytesRead);
      const start = text.startsWith(BYTE_ORDER_MARK) ? 3 : 0;
      return { first: text.replace(BYTE_ORDER_MARK, "").trimStart().charAt(0), start };
    } finally {
      await handle.close();
    }
  } catch (thrown) {
    throw fileError("read", file, thrown);
  }
}

/**
 * Says where a malformed file is malformed: the parser itself only says how. It is fed again piece by
 * piece until it refuses one; what it refuses at the end is `thrown`.
 */
async function locate(file: string, start: number, thrown: unknown): Promise<string> {
  const { size } = await stat(file);
  const parser = new Parser({ streamValues: false, autoDestroy: false });
  parser.on("error", () => undefined).resume();
  let place = start;
  for await (const piece of createReadStream(file, { start, highWaterMark: PIECE })) {
    const refusal = await new Promise<Error | null | undefined>((resolve) => {
      parser.write(piece as Buffer, resolve);
    });
    if (refusal instanceof Error) return `near byte ${place} of ${size}: ${refusal.message}`;
    place += (piece as Buffer).length;
  }
  return `at its end, byte ${size}: ${messageOf(thrown)}`;
}

function malformed(file: string, what: string, cause: unknown): GradusError {
  return new GradusError("JSON_MALFORMED", `cannot read ${file} as JSON: ${what}`, {
    site: { file },
    hint: "the file may be cut off: fetch or unpack it again",
    cause,
  });
}
