import { z } from "zod";
import { Database } from "../core/database.ts";
import { GradusError } from "../core/errors.ts";
import { Example } from "../core/example.ts";
import { sha256 } from "../core/key.ts";
import { PromptRow } from "../core/rows.ts";
import type { SchemaDialect } from "../core/schema-dialect.ts";
import { defineStage } from "../core/stage.ts";
import type { Rows } from "../core/stage.ts";
import { singleTurnPrompt } from "./prompts/single-turn.ts";

/** Options of {@link renderPromptsStage}. */
export const RenderPromptsOptions = z.strictObject({
  /** The schema dialect, by id. */
  dialect: z.string().default("omnisql-ddl"),
  /** Whether earlier turns of a dialogue come with their gold SQL. */
  history: z.enum(["questions", "gold"]).default("questions"),
});

/**
 * Writes the opening messages of every example, in order: one prompt an example. Schema texts are rendered
 * once a database and held in memory; a database whose file cannot be read is shown as its dataset
 * describes it.
 * @throws PROMPT_DATABASE_UNKNOWN for an example whose database has no row.
 */
export const renderPromptsStage = defineStage({
  name: "render-prompts",
  version: 1,
  inputs: { examples: Example, databases: Database },
  outputs: { prompts: PromptRow },
  options: RenderPromptsOptions,
  balances: [{ input: "examples", outputs: ["prompts"] }],
  plugs: (options) => [{ kind: "schema-dialect", id: options.dialect }],
  async *run({ inputs, options, context }) {
    const dialect = await context.plugs.find("schema-dialect", options.dialect);
    const schemaTexts = await renderSchemas(inputs.databases, dialect);
    let done = 0;
    for await (const example of inputs.examples()) {
      context.signal.throwIfAborted();
      const schema = schemaTexts.get(example.databaseId);
      if (schema === undefined) throw unknownDatabase(example);
      const messages = singleTurnPrompt(example, schema.text, options.history);
      yield { port: "prompts", row: { exampleId: example.id, schemaTextDigest: schema.digest, messages } };
      done += 1;
      context.progress(done);
    }
  },
});

interface SchemaText {
  readonly text: string;
  readonly digest: string;
}

async function renderSchemas(
  databases: Rows<Database>,
  dialect: SchemaDialect,
): Promise<ReadonlyMap<string, SchemaText>> {
  const texts = new Map<string, SchemaText>();
  for await (const database of databases()) {
    const text = dialect.render(database);
    texts.set(database.databaseId, { text, digest: sha256(text) });
  }
  return texts;
}

function unknownDatabase(example: Example): GradusError {
  return new GradusError(
    "PROMPT_DATABASE_UNKNOWN",
    `cannot write the prompt of example ${example.sourceId}: no row describes its database ${example.databaseId}`,
    {
      site: { stage: "render-prompts", rowId: example.id },
      hint: "profile every database of the dataset first",
    },
  );
}
