import { z } from "zod";
import type { Database } from "../../core/database.ts";
import type { DatabaseProfile } from "../../core/database-profile.ts";
import { GradusError } from "../../core/errors.ts";
import { Execution } from "../../core/execution.ts";
import type { Json } from "../../core/key.ts";
import type { Tool } from "../../core/tool.ts";
import { type EnvRollouts, historyOf, RolloutChoice } from "./env-rollouts.ts";
import { EXAMPLE_NAME, namesExample } from "./example-name.ts";
import type { ServedRun } from "./served-run.ts";
import { type ServiceRoute, serviceRoute } from "./service-server.ts";
import { wireTool } from "./wire-message.ts";

const ToolBody = RolloutChoice.extend({
  ...EXAMPLE_NAME,
  /** The database, where no example is named. */
  db_id: z.string().optional(),
  arguments: z.record(z.string(), z.unknown()).default({}),
  previous_answers: z.array(z.string().nullable()).optional(),
}).refine((body) => namesExample(body) || body.db_id !== undefined, "give example_id, source_id or db_id");
type ToolBody = z.infer<typeof ToolBody>;

const ToolReply = z.strictObject({ text: z.string(), ok: z.boolean(), execution: Execution.nullable() });

/** What the routes of tools work with. */
export interface ToolService {
  readonly run: ServedRun;
  readonly rollouts: EnvRollouts;
}

/** `GET /tools`, and `POST /tools/:tool` for each tool of a scaffold, by its id or by the name that models know. */
export function toolRoutes(service: ToolService): ServiceRoute[] {
  return [
    serviceRoute({
      method: "GET",
      path: "/tools",
      summary: "The tools of a scaffold (?scaffold=) as a model is told of them.",
      body: null,
      response: z.strictObject({ scaffold: z.string(), tools: z.array(z.looseObject({ id: z.string() })) }),
      isWork: false,
      handle: async ({ query }) => {
        const { scaffold } = query;
        const rollout = await service.rollouts.take(scaffold === undefined ? {} : { scaffold });
        const tools = rollout.tools.map((tool) => ({ id: tool.id, ...wireTool(tool.schema) }));
        return { scaffold: rollout.scaffold.id, tools };
      },
    }),
    serviceRoute({
      method: "POST",
      path: "/tools/:tool",
      summary: "Run a tool of a scaffold on the database of an example, with the scaffold's options.",
      body: ToolBody,
      response: ToolReply,
      isWork: true,
      handle: ({ body, params }) => runTool(service, params["tool"] ?? "", body),
    }),
  ];
}

/**
 * Runs a tool by its id or the name that models know.
 * @throws TOOL_UNKNOWN, DATABASE_UNKNOWN, EXAMPLE_UNKNOWN, and what opening the scaffold throws.
 */
export async function runTool(
  { run, rollouts }: ToolService,
  name: string,
  body: ToolBody,
): Promise<z.infer<typeof ToolReply>> {
  const { scaffold, options, mode } = body;
  const rollout = await rollouts.take({
    ...(scaffold === undefined ? {} : { scaffold }),
    ...(options === undefined ? {} : { options }),
    ...(mode === undefined ? {} : { mode }),
  });
  const tool = rollout.tools.find(({ id, schema }) => id === name || schema.name === name);
  if (tool === undefined) throw toolUnknown(name, rollout.scaffold.id, rollout.tools);
  const example = namesExample(body) ? await run.examples.find(body) : null;
  const database = databaseOf(run, example?.databaseId ?? body.db_id ?? "");
  const { profile: profileOptions } = run.config;
  const { sql, profiler } = run.services;
  const uses = rollout.scaffold.tools(rollout.scaffold.options.parse(rollout.options));
  const given = uses.find(({ id }) => id === tool.id)?.options ?? {};
  const context = {
    database,
    sql,
    profiler,
    profile: tool.needsProfile === true ? await profileOf(run, database) : null,
    profileOptions,
    history: example === null ? [] : historyOf(example, rollout, body.previous_answers),
  };
  const args = body.arguments as Readonly<Record<string, Json>>;
  const { text, ok, execution } = await tool.run(args, tool.options.parse(given), context);
  return { text, ok, execution };
}

function databaseOf({ databases }: ServedRun, id: string): Database {
  const database = databases.get(id);
  if (database !== undefined) return database;
  throw new GradusError("DATABASE_UNKNOWN", `there is no database ${JSON.stringify(id.slice(0, 64))}`, {
    hint: "the service knows the databases of its config's datasets",
  });
}

/** Profiles that were made, by run and database. */
const PROFILES = new WeakMap<ServedRun, Map<string, Promise<DatabaseProfile>>>();

function profileOf(run: ServedRun, database: Database): Promise<DatabaseProfile> {
  const { services, config } = run;
  const profiles = PROFILES.get(run) ?? new Map<string, Promise<DatabaseProfile>>();
  PROFILES.set(run, profiles);
  let profile = profiles.get(database.databaseId);
  if (profile === undefined) {
    profile = services.profiler.profile(database, config.profile);
    profiles.set(database.databaseId, profile);
    profile.catch(() => profiles.delete(database.databaseId));
  }
  return profile;
}

function toolUnknown(name: string, scaffold: string, tools: readonly Tool[]): GradusError {
  const known = tools.map(({ schema }) => schema.name).join(", ");
  return new GradusError(
    "TOOL_UNKNOWN",
    `the scaffold ${scaffold} has no tool ${JSON.stringify(name.slice(0, 64))}, expected ${known === "" ? "none" : known}`,
    { hint: "name the scaffold that has the tool: GET /tools?scaffold=…" },
  );
}
