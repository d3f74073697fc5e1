import type { z } from "zod";
import { nearMiss } from "../core/errors.ts";

/** What is wrong with a value, in one line; for an unknown key of the whole the near miss among those it has. */
export function issueText(issue: z.core.$ZodIssue, known: readonly string[]): string {
  const at = issue.path.length === 0 ? "" : `${issue.path.join(".")}: `;
  if (issue.code !== "unrecognized_keys") return `${at}${issue.message}`;
  const expected = at === "" ? known : [];
  const names = issue.keys.map((key) => {
    const near = nearMiss(key, expected);
    return near === undefined ? `"${key}"` : `"${key}" (did you mean "${near}"?)`;
  });
  return `${at}unknown key ${names.join(", ")}${expected.length === 0 ? "" : `, expected ${expected.join(", ")}`}`;
}
