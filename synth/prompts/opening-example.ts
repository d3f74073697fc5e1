import type { Example } from "../../core/example.ts";
import type { Opening } from "../../core/scaffold.ts";
import type { ShownHistory } from "./single-turn.ts";

/** An opening's example with the history that is shown, for prompts that are written from an example. */
export function openingExample({ example, history }: Opening, shown: ShownHistory): Example {
  return {
    ...example,
    history: history.map(({ question, sql }) => ({ question, gold: shown === "gold" ? sql : null })),
  };
}
