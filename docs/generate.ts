import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import type { Command } from "commander";
import { z } from "zod";
import type { PlugKind } from "../core/plug.ts";
import { AnthropicModelOptions } from "../io/models/anthropic-options.ts";
import { OpenAiModelOptions } from "../io/models/openai-options.ts";
import { buildProgram } from "../pipelines/cli/program.ts";
import { runConfigJsonSchema } from "../pipelines/config.ts";
import { createPlugFinder, PLUG_FOLDERS } from "../pipelines/plugs.ts";

/**
 * Writes the generated pages of `docs/`: the command line's help, the table of plugs, the JSON Schema of a
 * config, and the index of paper sections. With `--check` writes nothing and fails when a page differs.
 */

const FOLDER = path.dirname(fileURLToPath(import.meta.url));

/** What a plug says of itself besides its id and version. */
interface Described {
  readonly kind: string;
  readonly id: string;
  readonly version: number;
  readonly deviations?: readonly string[];
  readonly lossy?: readonly string[];
  readonly splits?: readonly string[];
  readonly license?: string;
  readonly levels?: readonly string[];
  readonly format?: string;
  readonly set?: string;
}

async function plugPage(): Promise<string> {
  const finder = createPlugFinder();
  const lines = ["# Plugs", "", "Made by `npm run docs` from the plug folders.", ""];
  for (const kind of Object.keys(PLUG_FOLDERS) as PlugKind[]) {
    lines.push(
      `## ${kind}`,
      "",
      `\`${PLUG_FOLDERS[kind]}/\``,
      "",
      "| id | version | notes |",
      "| --- | --- | --- |",
    );
    for (const id of await finder.list(kind)) {
      const plug = (await finder.find(kind, id)) as unknown as Described;
      lines.push(`| \`${id}\` | ${plug.version} | ${notesOf(plug)} |`);
    }
    lines.push("");
  }
  return lines.join("\n");
}

function notesOf(plug: Described): string {
  const notes = [
    plug.kind === "label" ? "label" : "",
    plug.splits === undefined ? "" : `splits ${plug.splits.join(", ")}`,
    plug.license === undefined ? "" : `data ${plug.license}`,
    plug.levels === undefined ? "" : plug.levels.join(", "),
    plug.format === undefined ? "" : `${plug.set ?? ""} ${plug.format}`.trim(),
    ...(plug.deviations ?? []),
    ...(plug.lossy ?? []).map((loss) => `cannot hold: ${loss}`),
  ];
  return notes
    .filter((note) => note !== "")
    .join("; ")
    .replaceAll("|", "\\|")
    .replaceAll("\n", " ");
}

async function commandPage(): Promise<string> {
  const program = await buildProgram();
  const lines = ["# Command line", "", "Made by `npm run docs` from the commands' own help.", ""];
  lines.push(
    "Exit status: 0 done; 1 a failure, with a message; 2 wrong usage; 130 interrupted, what is finished is kept.",
    "",
  );
  for (const command of program.commands)
    lines.push(`## gradus ${command.name()}`, "", "```", helpOf(command), "```", "");
  return lines.join("\n");
}

function helpOf(command: Command): string {
  let text = "";
  command.configureOutput({
    writeOut: (chunk) => {
      text += chunk;
    },
    getOutHelpWidth: () => 100,
  });
  command.outputHelp();
  return text.trimEnd();
}

/** Options of a role's client, by provider. */
function clientSchemas(): unknown {
  const schemas = { openai: OpenAiModelOptions, anthropic: AnthropicModelOptions };
  return Object.fromEntries(
    Object.entries(schemas).map(([provider, schema]) => [provider, z.toJSONSchema(schema, { io: "input" })]),
  );
}

const PAGES: readonly (readonly [string, () => Promise<string> | string])[] = [
  ["plugs.md", plugPage],
  ["command-line.md", commandPage],
  ["model-client.schema.json", () => `${JSON.stringify(clientSchemas(), null, 2)}\n`],
  ["run-config.schema.json", () => `${JSON.stringify(runConfigJsonSchema(), null, 2)}\n`],
];

const check = process.argv.includes("--check");
let drifted = 0;
for (const [name, make] of PAGES) {
  const file = path.join(FOLDER, name);
  const made = await make();
  if (!check) {
    writeFileSync(file, made);
  } else if (read(file) !== made) {
    process.stderr.write(`docs/${name} is out of date: run npm run docs\n`);
    drifted += 1;
  }
}
process.exitCode = drifted === 0 ? 0 : 1;

function read(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return undefined;
  }
}
