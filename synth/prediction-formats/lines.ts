import { definePredictionFormat } from "../../core/prediction-format.ts";
import { readText } from "../../io/files.ts";
import { emptyRow, splitBirdSuffix } from "../prediction-fields.ts";

/** A tab and a name at the end of a line. */
const DATABASE_SUFFIX = /\t[ ]*([\w.-]+)[ ]*$/;

/**
 * One SQL a line, joined by position; a blank line is an empty answer (but one after every dialogue is not) and the last line may lack its end.
 * A file names the database after a tab either on every line that is not blank or on none; BIRD's suffix
 * may stand on any line. Lines end at `\n` or `\r\n`.
 */
export default definePredictionFormat({
  id: "lines",
  version: 1,
  recognises: (fileName) => /\.(txt|sql)$/i.test(fileName),
  async *read(path) {
    const lines = (await readText(path))
      .split("\n")
      .map((line) => (line.endsWith("\r") ? line.slice(0, -1) : line));
    if (lines.at(-1) === "") lines.pop();
    const hasDatabase = lines.every((line) => line.trim() === "" || DATABASE_SUFFIX.test(line));
    for (const [position, line] of lines.entries()) {
      const bird = splitBirdSuffix(line);
      const suffix = bird.databaseId === null && hasDatabase ? DATABASE_SUFFIX.exec(line) : null;
      if (suffix === null) yield { ...emptyRow(position), ...bird };
      else yield { ...emptyRow(position), sql: line.slice(0, suffix.index), databaseId: suffix[1] ?? null };
    }
  },
});
