import { definePredictionFormat } from "../../core/prediction-format.ts";
import { malformed, placeFields, readObjects, textField } from "../prediction-fields.ts";

const SQL_NAMES = ["pred", "prediction", "predicted_sql", "pred_sql", "sql"];
const RAW_NAMES = ["raw_text", "rawText", "completion", "response"];

/**
 * A JSON object a line: the key (`id`, `question_id`, `source_id`, `example_id`, or `index` for the place),
 * the answer (`pred`, `prediction`, `predicted_sql`, `pred_sql` or `sql`), optionally `db_id`, `question`,
 * `sample_index`, and the whole reply (`raw_text`, `completion` or `response`). Without a key, lines are
 * joined by position. Several lines of one key are samples, numbered by `sample_index` or in their order.
 */
export default definePredictionFormat({
  id: "jsonl",
  version: 1,
  recognises: (fileName, head) =>
    /\.(jsonl|ndjson)$/i.test(fileName) && !/^[^\n]*(?<!\\)"messages"\s*:\s*\[/.test(head),
  async *read(path) {
    let position = 0;
    for await (const { fields, line } of readObjects(path)) {
      const hasAnswer = [...SQL_NAMES, ...RAW_NAMES].some((name) => fields[name] !== undefined);
      if (!hasAnswer) throw malformed(path, line, `has no answer, expected one of ${SQL_NAMES.join(", ")}`);
      const row = placeFields(fields, { file: path, line, position });
      yield { ...row, sql: textField(fields, SQL_NAMES), rawText: textField(fields, RAW_NAMES) };
      position += 1;
    }
  },
});
