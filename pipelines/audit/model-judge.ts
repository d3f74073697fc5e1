import type { CheckSubject } from "../../core/check.ts";
import { GradusError } from "../../core/errors.ts";
import type { Finding } from "../../core/finding.ts";
import type { Model } from "../../core/model.ts";
import type { AnnotationOpinion } from "../../synth/annotation-opinion.ts";
import { openDrained } from "../../synth/drained-model.ts";
import { DrainedWork } from "../../synth/drained-work.ts";
import { judgeAnnotation, type OpinionServices } from "../../synth/judge-annotation.ts";
import type { ModelRole, RunConfig } from "../config.ts";
import type { OpenServices } from "../run-services.ts";
import type { AnnotationJudge } from "./audit-examples.ts";

/** The role of a config whose model judges annotations. */
export const JUDGE_ROLE = "judge";

/** How sure a wrong annotation is that all voters call so: they share their blind spots. */
const MOST_CONFIDENCE = 0.8;
const AMBIGUOUS_CONFIDENCE = 0.4;
/** Opinions asked for at once. */
const IN_FLIGHT = 16;
const SAMPLING = { temperature: 0.7, topP: 1, topK: -1, maxTokens: 2048, stop: [], extra: {} };

/**
 * A judge that asks the model of the role `judge` several times about each annotation.
 * @throws MODEL_ROLE_UNKNOWN when the config has no such role.
 */
export async function openModelJudge(
  config: Pick<RunConfig, "models" | "seed">,
  voters: number,
  services: OpenServices,
): Promise<AnnotationJudge> {
  const model: Model = await openDrained(JUDGE_ROLE, services.models);
  const { name, revision } = config.models[JUDGE_ROLE] as ModelRole;
  const work = new DrainedWork(IN_FLIGHT, services.signal);
  const opinions: OpinionServices = {
    model,
    name: { name, revision },
    ledger: await services.ledger(),
    signal: work.signal,
    seed: config.seed,
    voters,
    sampling: SAMPLING,
  };
  return {
    judge: async (subject) => {
      const { example, sql, database, execution } = subject;
      const shown = {
        question: example.question,
        history: example.history.map(({ question }) => question),
        evidence: example.evidence,
        sql,
        schema: database.schema,
        result: execution,
        databaseDigest: database.digest,
      };
      const said = await work.run(() => judgeAnnotation(example, shown, opinions));
      const finding = opinionFinding(subject, said, voters);
      return finding === null ? [] : [finding];
    },
    close: () => work.drain("judging was ended"),
  };
}

/** The finding that more than half of the opinions that could be read speak for; `null` where they call it right. */
export function opinionFinding(
  { example }: CheckSubject,
  opinions: readonly AnnotationOpinion[],
  voters: number,
): Finding | null {
  if (opinions.length === 0) return null;
  const wrong = opinions.filter(({ verdict }) => verdict === "wrong");
  const doubted = opinions.filter(({ verdict }) => verdict !== "right");
  if (doubted.length * 2 <= opinions.length) return null;
  const isWrong = wrong.length * 2 > opinions.length;
  const speak = isWrong ? wrong : doubted;
  const share = speak.length / opinions.length;
  return {
    exampleId: example.id,
    dataset: example.dataset.name,
    split: example.dataset.split,
    sourceId: example.sourceId,
    check: "llm-judge",
    kind: isWrong ? "judged_wrong" : "judged_ambiguous",
    severity: isWrong ? "error" : "warning",
    confidence: share * (isWrong ? MOST_CONFIDENCE : AMBIGUOUS_CONFIDENCE),
    message: `${speak.length} of ${opinions.length} opinions of a model call it ${isWrong ? "wrong" : "ambiguous"}`,
    evidence: {
      voters,
      right: opinions.length - doubted.length,
      wrong: wrong.length,
      ambiguous: doubted.length - wrong.length,
      reasons: speak.map(({ reason }) => reason),
    },
    suggestion: null,
  };
}

/** @throws USAGE where a config has no judge. */
export function requireJudge(config: Pick<RunConfig, "models">, name: string): void {
  if (config.models[JUDGE_ROLE] !== undefined) return;
  const roles = Object.keys(config.models);
  throw new GradusError(
    "USAGE",
    `${name} has no model of the role "${JUDGE_ROLE}", expected one among its models${roles.length === 0 ? "" : `, ${roles.join(", ")}`}`,
    { hint: "add models: judge: to the config, or leave out --judge-voters" },
  );
}
