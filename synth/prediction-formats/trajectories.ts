import { definePredictionFormat } from "../../core/prediction-format.ts";
import { malformed, placeFields, readObjects, textField } from "../prediction-fields.ts";
import { readMessages } from "../rollout-messages.ts";

const SQL_NAMES = ["final_sql", "finalSql", "pred", "prediction", "predicted_sql", "sql"];

/**
 * A rollout a line: the key as in `jsonl`, `messages` in the form of chat APIs or of gradus trajectories,
 * and `final_sql`, the answer; without it the answer is taken from the last assistant message.
 */
export default definePredictionFormat({
  id: "trajectories",
  version: 1,
  recognises: (fileName, head) =>
    /\.(jsonl|ndjson)$/i.test(fileName) && /^[^\n]*(?<!\\)"messages"\s*:\s*\[/.test(head),
  async *read(path) {
    let position = 0;
    for await (const { fields, line } of readObjects(path)) {
      const row = placeFields(fields, { file: path, line, position });
      const messages = readMessages(fields["messages"], (problem) => malformed(path, line, problem));
      yield { ...row, sql: textField(fields, SQL_NAMES), messages };
      position += 1;
    }
  },
});
