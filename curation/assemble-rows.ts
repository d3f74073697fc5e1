import { z } from "zod";
import { Database } from "../core/database.ts";
import { GradusError } from "../core/errors.ts";
import { Example } from "../core/example.ts";
import type { PlugFinder } from "../core/plug.ts";
import { OrderedExample, PromptRow, SelectedTrajectory } from "../core/rows.ts";
import { ExportRow, PromptSource } from "../core/shard.ts";
import { defineStage, type Rows } from "../core/stage.ts";
import { Trajectory } from "../core/trajectory.ts";
import { RowIndex } from "../io/row-index.ts";
import { orderBroken } from "./merge-by-example.ts";
import { scaffoldFacts } from "./scaffold-facts.ts";
import { SeenPrompts } from "./seen-prompts.ts";

/** A prompt to practise on, and where it comes from. */
const PromptPlace = z.strictObject({ exampleId: z.string(), reason: PromptSource });

/**
 * Builds the rows that exporters write, in curriculum order, train before validation, `index` dense from 0
 * in each split. `rl`: one row per ordered example, without a trajectory, behind the prompt that the rollouts of the
 * prompts' scaffold saw where all of them saw the same; `prompts` says for each whether they did. `sft`: one row per
 * selected trajectory, those of one example in the order of selection. Rows are looked up in temporary files, so
 * that memory holds ids only. A teacher that was shown gold is learned from behind the prompt of its student:
 * what it was given is left out.
 * @throws ASSEMBLE_PROMPT_MISMATCH where the prompts are not those of that student.
 * @throws ASSEMBLE_ROW_MISSING naming what a row refers to and no input has; STAGE_ORDER_BROKEN when train
 * rows come after validation rows; INDEX_KEY_TWICE.
 */
export const assembleRowsStage = defineStage({
  name: "assemble-rows",
  version: 2,
  inputs: {
    examples: Example,
    databases: Database,
    prompts: PromptRow,
    ordered: OrderedExample,
    selected: SelectedTrajectory,
    trajectories: Trajectory,
  },
  outputs: { rows: ExportRow, prompts: PromptPlace },
  options: z.strictObject({
    set: z.enum(["rl", "sft"]),
    /** The scaffold whose opening the prompts are, with its options. */
    promptScaffold: z.string().default("single-turn"),
    promptOptions: z.record(z.string(), z.json()).default({}),
    /** Whether prompts that rollouts saw take the place of the given ones. */
    seenPrompts: z.boolean().default(true),
  }),
  async *run({ inputs, options, context }) {
    const { set, promptScaffold, promptOptions } = options;
    const selected = set === "rl" ? undefined : await selectedByExample(inputs.selected);
    const wanted = await idsOf(inputs.ordered, selected);
    const reads = set === "rl" && options.seenPrompts;
    const seen = await SeenPrompts.read(reads ? inputs.trajectories : none, promptScaffold, wanted);
    const sources = await openSources(inputs, wanted, selected ?? seen.trajectoryIds());
    const asStudent = studentForm(context.plugs, promptScaffold);
    const toolsOf = scaffoldFacts(context.plugs);
    const asked = { id: promptScaffold, version: 0, options: promptOptions };
    const next = { train: 0, validation: 0 };
    let done = 0;
    try {
      for await (const place of inputs.ordered()) {
        if (place.split === "train" && next.validation > 0) throw trainAfterValidation(place);
        const chosen = selected === undefined ? [null] : (selected.get(place.exampleId) ?? []);
        for (const trajectoryId of chosen) {
          const row = await assemble(place, trajectoryId, next[place.split], sources);
          next[place.split] += 1;
          if (row.trajectory !== null) {
            const trajectory = await asStudent(row.trajectory);
            yield { port: "rows", row: { ...row, trajectory, ...(await toolsOf(trajectory.scaffold)) } };
            continue;
          }
          const prompt = await seen.promptOf(place.exampleId, sources.trajectories);
          const given = { prompt: [...(prompt.messages ?? row.prompt)], promptFrom: prompt.source };
          yield { port: "rows", row: { ...row, ...given, ...(await toolsOf(prompt.scaffold ?? asked)) } };
          yield { port: "prompts", row: { exampleId: place.exampleId, reason: prompt.source } };
        }
        done += 1;
        context.progress(done);
      }
    } finally {
      await sources.close();
    }
    const warning = seen.warning(next.train + next.validation);
    if (warning !== null) context.warn(warning);
  },
});

const none = (): AsyncIterable<never> => nothing();

type SelectedIds = ReadonlyMap<string, readonly string[]>;

async function selectedByExample(rows: Rows<SelectedTrajectory>): Promise<SelectedIds> {
  const selected = new Map<string, string[]>();
  for await (const { exampleId, trajectoryId } of rows()) {
    const ids = selected.get(exampleId);
    if (ids === undefined) selected.set(exampleId, [trajectoryId]);
    else ids.push(trajectoryId);
  }
  return selected;
}

/** The examples that get rows. */
async function idsOf(
  ordered: Rows<OrderedExample>,
  selected: SelectedIds | undefined,
): Promise<ReadonlySet<string>> {
  const ids = new Set<string>();
  for await (const { exampleId } of ordered()) ids.add(exampleId);
  if (selected === undefined) return ids;
  for (const exampleId of selected.keys()) {
    if (!ids.has(exampleId)) throw missing("ordered", exampleId, "a selected trajectory");
  }
  return new Set(selected.keys());
}

interface Sources {
  readonly examples: RowIndex<Example>;
  readonly prompts: RowIndex<PromptRow>;
  readonly trajectories: RowIndex<Trajectory>;
  readonly databaseDigests: ReadonlyMap<string, string>;
  close(): Promise<void>;
}

interface SourceRows {
  readonly examples: Rows<Example>;
  readonly prompts: Rows<PromptRow>;
  readonly trajectories: Rows<Trajectory>;
  readonly databases: Rows<Database>;
}

async function openSources(
  inputs: SourceRows,
  wanted: ReadonlySet<string>,
  selected: ReadonlyMap<string, readonly string[]>,
): Promise<Sources> {
  const opened: RowIndex<never>[] = [];
  const close = async (): Promise<void> => {
    for (const index of opened) await index.close();
  };
  const open = async <T>(
    rows: AsyncIterable<T>,
    keyOf: (row: T) => string,
    keep: (row: T) => boolean,
  ): Promise<RowIndex<T>> => {
    const index = await RowIndex.build(rows, { keyOf, keep });
    opened.push(index as RowIndex<never>);
    return index;
  };
  const chosen = new Set([...selected.values()].flat());
  try {
    return {
      examples: await open(
        inputs.examples(),
        (row) => row.id,
        (row) => wanted.has(row.id),
      ),
      prompts: await open(
        inputs.prompts(),
        (row) => row.exampleId,
        (row) => wanted.has(row.exampleId),
      ),
      trajectories: await open(
        chosen.size === 0 ? nothing() : inputs.trajectories(),
        (row) => row.id,
        (row) => chosen.has(row.id),
      ),
      databaseDigests: await databaseDigests(inputs.databases),
      close,
    };
  } catch (thrown) {
    await close();
    throw thrown;
  }
}

async function* nothing(): AsyncGenerator<never> {}

async function databaseDigests(databases: Rows<Database>): Promise<ReadonlyMap<string, string>> {
  const digests = new Map<string, string>();
  for await (const { databaseId, digest } of databases()) digests.set(databaseId, digest);
  return digests;
}

async function assemble(
  place: OrderedExample,
  trajectoryId: string | null,
  index: number,
  sources: Sources,
): Promise<ExportRow> {
  const { exampleId, databaseId, split, level, hardness, complete } = place;
  const example = await sources.examples.get(exampleId);
  if (example === undefined) throw missing("examples", exampleId, `example ${exampleId}`);
  const prompt = await sources.prompts.get(exampleId);
  if (prompt === undefined) throw missing("prompts", exampleId, `example ${exampleId}`);
  const databaseDigest = sources.databaseDigests.get(databaseId);
  if (databaseDigest === undefined) throw missing("databases", databaseId, `example ${exampleId}`);
  const trajectory = trajectoryId === null ? null : await sources.trajectories.get(trajectoryId);
  if (trajectory === undefined) throw missing("trajectories", trajectoryId ?? "", `example ${exampleId}`);
  const simulated = place.simulated || trajectory?.source === "simulated";
  const counts = complete ? { n: place.n, c: place.c } : { n: 0, c: 0 };
  const figures = { level, hardness, ...counts, simulated, linking: prompt.linking ?? null };
  const shown = { prompt: prompt.messages, promptFrom: "no_rollout" } as const;
  const row = { index, split, example, databaseDigest, trajectory, ...shown, ...figures };
  return { ...row, scaffold: null, tools: [], toolNames: [], task: "sql", rejected: null };
}

function missing(port: string, id: string, by: string): GradusError {
  return new GradusError("ASSEMBLE_ROW_MISSING", `${port} has no row ${id}, which ${by} refers to`, {
    site: { stage: "assemble-rows", rowId: id },
    hint: "feed this step from the steps that made its ordered examples and trajectories",
  });
}

function trainAfterValidation(place: OrderedExample): GradusError {
  return orderBroken(
    `train example ${place.exampleId} comes after validation examples, expected all of train first`,
    place.exampleId,
  );
}

/**
 * Gives trajectories as students may see them: those of a scaffold that reads gold without what they were given, so
 * that the prompt stands in its place.
 */
function studentForm(
  plugs: PlugFinder,
  promptScaffold: string,
): (trajectory: Trajectory) => Promise<Trajectory> {
  const students = new Map<string, string | null>();
  const studentOf = async (id: string): Promise<string | null> => {
    const isPlug = (await plugs.list("scaffold")).includes(id);
    const scaffold = isPlug ? await plugs.find("scaffold", id) : null;
    return scaffold?.readsGold === true ? (scaffold.student ?? "none") : null;
  };
  return async (trajectory) => {
    const { id } = trajectory.scaffold;
    if (!students.has(id)) students.set(id, await studentOf(id));
    const student = students.get(id) ?? null;
    if (student === null) return trajectory;
    if (student !== promptScaffold) throw promptMismatch(id, student, promptScaffold);
    return { ...trajectory, messages: trajectory.messages.filter(({ origin }) => origin !== "given") };
  };
}

function promptMismatch(teacher: string, student: string, prompts: string): GradusError {
  return new GradusError(
    "ASSEMBLE_PROMPT_MISMATCH",
    `the selected trajectories of ${teacher} must stand behind prompts of ${student}, got those of ${prompts}`,
    {
      site: { stage: "assemble-rows", plug: teacher },
      hint: `set prompt.scaffold to ${student} in the config`,
    },
  );
}
