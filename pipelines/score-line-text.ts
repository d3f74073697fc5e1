/** What `gradus score` adds to a line. */
export interface AddedFields {
  readonly verdicts: unknown;
  /** Left out where no SQL was run. */
  readonly executions: unknown;
}

/**
 * A line of `gradus score` as JSON: the object's own text with the fields after its last one, so that numbers, escapes
 * and the order of its keys stay as they were written. An object that already has one of these fields is written anew
 * from `row`, its parsed value, without it.
 */
export function scoreLineText(
  text: string,
  row: Readonly<Record<string, unknown>>,
  added: AddedFields,
): string {
  const fields = JSON.stringify(added).slice(1);
  if ("verdicts" in row || "executions" in row) {
    const { verdicts: _, executions: __, ...others } = row;
    return joined(JSON.stringify(others), fields);
  }
  return joined(text.trim(), fields);
}

/** An object's text and the fields that follow, with the brace that closes them. */
function joined(object: string, fields: string): string {
  const open = object.slice(0, -1).trimEnd();
  return `${open}${open === "{" ? "" : ","}${fields}`;
}
