import { z } from "zod";
import { errorBody } from "./service-error.ts";
import { GradusError } from "../../core/errors.ts";
import type { Example } from "../../core/example.ts";
import { RewardRow, RewardTerm } from "../../core/reward.ts";
import { Trajectory } from "../../core/trajectory.ts";
import { answerInText } from "./answer-in-text.ts";
import { rewardsOf } from "./env-episode.ts";
import { type EnvRollouts, RolloutChoice } from "./env-rollouts.ts";
import { EXAMPLE_NAME, namesExample, NO_EXAMPLE, NamesExample } from "./example-name.ts";
import { answeredTrajectory, replayedTrajectory } from "./given-trajectory.ts";
import type { ServedRun } from "./served-run.ts";
import { type ServiceRoute, serviceRoute } from "./service-server.ts";

/** An answer to score, in one of its forms. */
const RewardBody = RolloutChoice.extend({
  ...EXAMPLE_NAME,
  /** The query alone; `null` for no answer. */
  sql: z.string().nullable().optional(),
  /** A text that ends with the query: a reply, or a trainer's decoded response. */
  text: z.string().optional(),
  /** Every reply of an episode in order: it is played again, so that all terms are known. */
  replies: z.array(z.string()).optional(),
  /** A trajectory as gradus records it. */
  trajectory: z.record(z.string(), z.unknown()).optional(),
  previous_answers: z.array(z.string().nullable()).optional(),
  /** Tokens after the prompt, where the trainer counted them. */
  tokens: z.int().nonnegative().optional(),
})
  .refine(namesExample, NO_EXAMPLE)
  .refine(
    ({ sql, text, replies, trajectory }) =>
      [sql, text, replies, trajectory].filter((form) => form !== undefined).length === 1,
    "give just one of sql, text, replies and trajectory",
  );
type RewardBody = z.infer<typeof RewardBody>;

const RewardReply = z.strictObject({
  example_id: z.string(),
  /** `null` where the answer could not be judged: `reason` says why. */
  reward: z.number().nullable(),
  terms: z.record(z.string(), RewardTerm),
  reason: z.string(),
  answer: z.string().nullable(),
  rewards: z.array(RewardRow),
});
type RewardReply = z.infer<typeof RewardReply>;

const Failed = z.strictObject({
  error: z.strictObject({ code: z.string(), message: z.string(), hint: z.string() }),
});

/** The body of NeMo-Gym's `/verify`: what names the example lies beside the response, or in its metadata. */
const VerifyBody = z.looseObject({
  responses_create_params: z.looseObject({}),
  response: z.looseObject({ output: z.array(z.looseObject({ type: z.string() })) }),
});

/** The body that OpenRLHF sends to its remote reward. A label is an example's id, or JSON that has `example_id`. */
const OpenRlhfBody = z.looseObject({
  query: z.array(z.string()),
  prompts: z.array(z.string()).optional(),
  labels: z.array(z.string()),
});

/** What the routes of rewards work with. */
export interface RewardService {
  readonly run: ServedRun;
  readonly rollouts: EnvRollouts;
}

/** `POST /reward` and `/rewards`, NeMo-Gym's `/verify` and `/seed_session`, and `/openrlhf`. */
export function rewardRoutes(service: RewardService): ServiceRoute[] {
  return [
    serviceRoute({
      method: "POST",
      path: "/reward",
      summary: "Score one answer.",
      body: RewardBody,
      response: RewardReply,
      isWork: true,
      handle: ({ body }) => scoreOne(service, body),
    }),
    serviceRoute({
      method: "POST",
      path: "/rewards",
      summary: "Score answers: items in their order, each with a reward or an error of its own.",
      body: z.strictObject({ items: z.array(z.unknown()).max(10_000) }),
      response: z.strictObject({ items: z.array(z.union([RewardReply, Failed])) }),
      isWork: true,
      handle: async ({ body }) => ({
        items: await Promise.all(body.items.map((item) => scoreItem(service, item))),
      }),
    }),
    serviceRoute({
      method: "POST",
      path: "/verify",
      summary: "Score a response as NeMo-Gym asks for it: its body comes back with a reward.",
      body: VerifyBody,
      response: z.looseObject({ reward: z.number() }),
      isWork: true,
      handle: ({ body }) => verify(service, body),
    }),
    serviceRoute({
      method: "POST",
      path: "/seed_session",
      summary: "Does nothing: NeMo-Gym begins sessions by it, and this service keeps none.",
      body: z.looseObject({}),
      response: z.strictObject({}),
      isWork: false,
      handle: () => ({}),
    }),
    serviceRoute({
      method: "POST",
      path: "/openrlhf",
      summary: "Score a batch as OpenRLHF asks its remote reward model.",
      body: OpenRlhfBody,
      response: z.strictObject({
        rewards: z.array(z.number()),
        scores: z.array(z.number()),
        extra_logs: z.record(z.string(), z.array(z.number())),
      }),
      isWork: true,
      handle: ({ body }) => scoreLabelled(service, body),
    }),
  ];
}

async function scoreOne({ run, rollouts }: RewardService, body: RewardBody): Promise<RewardReply> {
  const example = await run.examples.find(body);
  const trajectory = await trajectoryOf({ run, rollouts }, example, body);
  const rewards = await rewardsOf(run, example, trajectory, body.tokens);
  const [first] = rewards;
  return {
    example_id: example.id,
    reward: first?.total ?? null,
    terms: first?.terms ?? {},
    reason: first?.reason ?? "no_reward",
    answer: trajectory.finalSql,
    rewards,
  };
}

async function trajectoryOf(
  { run, rollouts }: RewardService,
  example: Example,
  body: RewardBody,
): Promise<Trajectory> {
  const { sql, text, replies, trajectory, scaffold, options, mode, previous_answers: previousAnswers } = body;
  if (text !== undefined) return answeredTrajectory(example, text, answerInText(text));
  if (replies !== undefined) {
    const choice = {
      ...(scaffold === undefined ? {} : { scaffold }),
      ...(options === undefined ? {} : { options }),
      ...(mode === undefined ? {} : { mode }),
    };
    return replayedTrajectory(run, rollouts, example, { replies, choice, previousAnswers });
  }
  if (trajectory === undefined) return answeredTrajectory(example, sql ?? "", blankless(sql ?? null));
  const parsed = Trajectory.safeParse(trajectory);
  if (parsed.success && parsed.data.exampleId === example.id) return parsed.data;
  const problem = parsed.success
    ? `it is of the example ${parsed.data.exampleId}`
    : z.prettifyError(parsed.error).replace(/\s*\n\s*/g, " ");
  throw new GradusError("REQUEST_INVALID", `cannot read the trajectory: ${problem}`, {
    hint: "send a row of a run's sample step, or replies",
  });
}

function blankless(sql: string | null): string | null {
  return sql === null || sql.trim() === "" ? null : sql;
}

async function scoreItem(
  service: RewardService,
  item: unknown,
): Promise<RewardReply | z.infer<typeof Failed>> {
  try {
    const parsed = RewardBody.safeParse(item);
    if (parsed.success) return await scoreOne(service, parsed.data);
    const problem = z.prettifyError(parsed.error).replace(/\s*\n\s*/g, " ");
    throw new GradusError("REQUEST_INVALID", `cannot read the item: ${problem}`);
  } catch (thrown) {
    return errorBody(thrown);
  }
}

async function verify(
  service: RewardService,
  body: z.infer<typeof VerifyBody>,
): Promise<Record<string, unknown>> {
  const { metadata, ...params } = body.responses_create_params as { readonly metadata?: unknown };
  const places = [body, body["verifier_metadata"], params, metadata];
  const named = places
    .map((place) => NamesExample.safeParse(place).data)
    .find((name) => name !== undefined && namesExample(name));
  if (named === undefined)
    throw new GradusError("REQUEST_INVALID", `cannot verify a response: ${NO_EXAMPLE}`);
  const { example_id, source_id, dataset, split } = named;
  const text = outputText(body.response.output);
  const scored = await scoreOne(service, { example_id, source_id, dataset, split, text });
  const { reward, scored: isScored, ...terms } = flat(scored, "reward");
  return { ...body, reward, scored: isScored, reward_terms: terms };
}

const TextPart = z.looseObject({ text: z.string() });

/** The text of the last message of a response; what came before it may hold drafts. */
function outputText(output: readonly Readonly<Record<string, unknown>>[]): string {
  const last = output.findLast(({ type }) => type === "message");
  const content = last?.["content"];
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  return content.map((part: unknown) => TextPart.safeParse(part).data?.text ?? "").join("");
}

async function scoreLabelled(
  service: RewardService,
  { query, prompts = [], labels }: z.infer<typeof OpenRlhfBody>,
) {
  if (labels.length !== query.length) {
    const got = `${query.length} queries and ${labels.length} labels`;
    throw new GradusError("REQUEST_INVALID", `cannot score a batch: got ${got}, expected as many of each`);
  }
  const scored = await Promise.all(
    query.map((text, place) => {
      const prompt = prompts[place] ?? "";
      const response = prompt !== "" && text.startsWith(prompt) ? text.slice(prompt.length) : text;
      return scoreOne(service, { example_id: idInLabel(labels[place] as string), text: response });
    }),
  );
  const rows = scored.map((one) => flat(one, "score"));
  const names = Object.keys(rows[0] ?? {}).filter((name) => name !== "score");
  const rewards = scored.map(({ reward }) => reward ?? 0);
  return {
    rewards,
    scores: rewards,
    extra_logs: Object.fromEntries(names.map((name) => [name, rows.map((row) => row[name] ?? 0)])),
  };
}

function idInLabel(label: string): string {
  try {
    const value: unknown = JSON.parse(label);
    const { example_id: id } = value as { readonly example_id?: unknown };
    return typeof id === "string" ? id : label;
  } catch {
    return label;
  }
}

/** A reward as trainers take it: numbers alone, `scored` 0 where there is none. */
function flat({ reward, terms }: RewardReply, name: string): Record<string, number> {
  const values = Object.entries(terms).map(([term, { value }]) => [term, value]);
  return { [name]: reward ?? 0, scored: reward === null ? 0 : 1, ...Object.fromEntries(values) };
}
