import { z } from "zod";
import { Database } from "../core/database.ts";
import { ProfileOptions } from "../core/database-profiler.ts";
import { Example } from "../core/example.ts";
import { sha256 } from "../core/key.ts";
import { PromptRow } from "../core/rows.ts";
import type { Opening } from "../core/scaffold.ts";
import { defineStage, type StageContext } from "../core/stage.ts";
import type { LinkedTable, Message } from "../core/trajectory.ts";
import { goldLinks } from "./gold-links.ts";
import { Openings } from "./openings.ts";
import { historyPolicy, shownHistory } from "./shown-history.ts";

/** Options of {@link renderPromptsStage}. */
export const RenderPromptsOptions = z.strictObject({
  /** The schema dialect, by id. */
  dialect: z.string().default("omnisql-ddl"),
  /** Whether earlier turns of a dialogue come with their gold SQL. */
  history: z.enum(["questions", "gold"]).default("questions"),
  /** Whether values that a question seems to ask for are looked up and shown in the schema text. */
  retrievesValues: z.boolean().default(false),
  /** Bounds of database profiles, for texts that show one. */
  profile: ProfileOptions.prefault({}),
  /** The scaffold whose opening is written, with its options. */
  scaffold: z.string().default("single-turn"),
  options: z.record(z.string(), z.json()).default({}),
});
export type RenderPromptsOptions = z.infer<typeof RenderPromptsOptions>;

/**
 * Writes the opening messages of every example, in order: one prompt an example, as the scaffold opens its
 * episodes. A database whose file cannot be read is shown as its dataset describes it.
 * @throws DATABASE_UNKNOWN for an example whose database has no row.
 */
export const renderPromptsStage = defineStage({
  name: "render-prompts",
  version: 2,
  inputs: { examples: Example, databases: Database },
  outputs: { prompts: PromptRow },
  options: RenderPromptsOptions,
  balances: [{ input: "examples", outputs: ["prompts"] }],
  plugs: (options) => [
    { kind: "schema-dialect", id: options.dialect },
    { kind: "scaffold", id: options.scaffold },
  ],
  async *run({ inputs, options, context }) {
    const { openings, open, policy, links } = await openingsOf(options, context);
    for await (const database of inputs.databases()) openings.addDatabase(database);
    let done = 0;
    for await (const example of inputs.examples()) {
      context.signal.throwIfAborted();
      const history = shownHistory(example, policy);
      const { opening } = await openings.prepare({ example, history, links: null, needsProfile: false });
      const messages = [...open(opening)];
      const schemaTextDigest = sha256(opening.schemaText);
      const linking = links ? await linkingOf(example, openings) : null;
      const row = { exampleId: example.id, schemaTextDigest, messages };
      yield { port: "prompts", row: linking === null ? row : { ...row, linking } };
      done += 1;
      context.progress(done);
    }
  },
});

/** What gold reads of the database of an example; `null` where its gold does not say. */
async function linkingOf(example: Example, openings: Openings): Promise<PromptRow["linking"] | null> {
  const database = openings.database(example.databaseId);
  const gold = database === undefined ? null : goldLinks(example, database);
  if (gold === null) return null;
  const text = async (links: readonly LinkedTable[] | null): Promise<string> =>
    (await openings.prepare({ example, history: [], links, needsProfile: false })).opening.schemaText;
  return { goldLinks: gold, full: await text(null), oracle: await text(gold) };
}

async function openingsOf(options: RenderPromptsOptions, context: StageContext) {
  const { retrievesValues, profile: profileOptions, history } = options;
  const dialect = await context.plugs.find("schema-dialect", options.dialect);
  const scaffold = await context.plugs.find("scaffold", options.scaffold);
  const parsed: unknown = scaffold.options.parse({ history, ...options.options });
  return {
    links: scaffold.task !== undefined,
    policy: historyPolicy(scaffold, { history, ...options.options }),
    openings: new Openings({ dialect, retrievesValues, profileOptions }, context.profiler),
    open: (opening: Opening): readonly Message[] => scaffold.open(opening, parsed),
  };
}
