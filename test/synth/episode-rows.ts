import { ProfileOptions } from "../../core/database-profiler.ts";
import type { Json } from "../../core/key.ts";
import type { ModelReply } from "../../core/model.ts";
import type { Opening, Reaction, Scaffold } from "../../core/scaffold.ts";
import type { Tool } from "../../core/tool.ts";
import type { EpisodePlan } from "../../synth/episode-plan.ts";
import { example, FERRIES } from "./synth-rows.ts";

/** An opening on the ferries. */
export function openingOf(parts: Partial<Opening> = {}): Opening {
  return {
    example: example("1", { question: "Which boats are there?", gold: ["SELECT secret FROM boat"] }),
    database: FERRIES,
    schemaText: "CREATE TABLE boat (\n  name TEXT\n);",
    history: [],
    links: null,
    ...parts,
  };
}

/** A plan for {@link openingOf} with a seed and no token limit. */
export function planOf(
  scaffold: Scaffold,
  tools: readonly Tool[],
  parts: Partial<EpisodePlan> = {},
): EpisodePlan {
  return {
    opening: openingOf(),
    schemaDialect: { id: "omnisql-ddl", version: 1, options: {} },
    profile: null,
    profileOptions: ProfileOptions.parse({}),
    scaffold,
    options: {},
    tools,
    model: { name: "student", revision: "r1" },
    sampling: { temperature: 1, topP: 0.99, topK: -1, maxTokens: 2048, extra: {} },
    maxCompletionTokens: null,
    round: 0,
    sampleIndex: 0,
    seed: 7,
    ...parts,
  };
}

/** What a scaffold makes of a reply at the first turn, with `turnsLeft` to come. */
export function reactionTo(
  scaffold: Scaffold,
  reply: ModelReply,
  given: Readonly<Record<string, Json>> = {},
  turnsLeft = 5,
): Reaction {
  const options: unknown = scaffold.options.parse(given);
  const opening = openingOf();
  const state = { turn: 0, turnsLeft, opening, messages: scaffold.open(opening, options) };
  return scaffold.react(scaffold.read(reply, options), state, options);
}
