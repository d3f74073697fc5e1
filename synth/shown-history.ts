import type { Example } from "../core/example.ts";
import type { Json } from "../core/key.ts";
import type { Opening } from "../core/scaffold.ts";

/** Earlier turns as a scaffold's options show them: with gold SQL only where `history` is `gold`. */
export function shownHistory(example: Example, options: Readonly<Record<string, Json>>): Opening["history"] {
  const showsGold = options["history"] === "gold";
  return example.history.map(({ question, gold }) => ({ question, sql: showsGold ? gold : null }));
}
