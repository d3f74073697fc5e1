import type { Example } from "../../core/example.ts";
import type { GoldRow, ScoredSample } from "../../core/rows.ts";
import { compareText } from "../../curation/compare-text.ts";
import { TURN_GROUPS, turnGroupOf } from "../../curation/interaction-match.ts";
import { wilsonInterval } from "../../curation/pass-at-k.ts";
import { RunningMean } from "../../curation/running-mean.ts";
import { compareHardness } from "./hardness.ts";
import type { AccuracyFigure } from "./report-document.ts";
import { type SystemName, systemKey } from "./system-labels.ts";

/** The 97.5th percentile of the normal distribution. */
const NORMAL = 1.959963984540054;

interface Cell {
  readonly mean: RunningMean;
  answers: number;
  unscored: number;
  unexecutable: number;
}

/** Accuracy by system, metric and group, question by question; the number of these bounds its size. */
export class AccuracyTally {
  readonly #cells = new Map<string, Map<string, Map<string, Cell>>>();
  readonly #systems = new Map<string, SystemName>();

  get systems(): readonly SystemName[] {
    return [...this.#systems.entries()]
      .sort(([left], [right]) => compareText(left, right))
      .map(([, name]) => name);
  }

  /** Counts one question with all its answers. */
  add(example: Example, gold: GoldRow | undefined, samples: readonly ScoredSample[]): void {
    const groups = groupsOf(example, gold);
    const bySystem = new Map<string, ScoredSample[]>();
    for (const sample of samples) {
      const key = systemKey(sample);
      const { model, setting, round } = sample;
      if (!this.#systems.has(key)) this.#systems.set(key, { model, setting, round });
      const list = bySystem.get(key);
      if (list === undefined) bySystem.set(key, [sample]);
      else list.push(sample);
    }
    for (const [key, answers] of bySystem) this.#addAnswers(key, groups, answers, gold?.reason === "ok");
  }

  #addAnswers(
    system: string,
    groups: readonly string[],
    answers: readonly ScoredSample[],
    runs: boolean,
  ): void {
    for (const metric of new Set(answers.flatMap(({ verdicts }) => Object.keys(verdicts)))) {
      let sum = 0;
      let scored = 0;
      for (const { verdicts } of answers) {
        const verdict = verdicts[metric];
        if (verdict?.status !== "scored") continue;
        sum += verdict.score;
        scored += 1;
      }
      const open = answers.length - scored;
      for (const group of groups) {
        const cell = this.#cellOf(system, metric, group);
        if (scored > 0) cell.mean.add(sum / scored);
        cell.answers += scored;
        if (runs) cell.unscored += open;
        else cell.unexecutable += open;
      }
    }
  }

  #cellOf(system: string, metric: string, group: string): Cell {
    const metrics = this.#cells.get(system) ?? new Map<string, Map<string, Cell>>();
    this.#cells.set(system, metrics);
    const groups = metrics.get(metric) ?? new Map<string, Cell>();
    metrics.set(metric, groups);
    const cell = groups.get(group) ?? { mean: new RunningMean(), answers: 0, unscored: 0, unexecutable: 0 };
    groups.set(group, cell);
    return cell;
  }

  /** The figures under the systems' labels, ordered by metric, group and system. */
  figures(labels: ReadonlyMap<string, string>): AccuracyFigure[] {
    const rows: AccuracyFigure[] = [];
    for (const [system, metrics] of this.#cells) {
      for (const [metric, groups] of metrics) {
        for (const [group, cell] of groups) {
          const { n, mean, low, high } = figuresOf(cell);
          const { answers, unscored, unexecutable } = cell;
          const label = labels.get(system) ?? system;
          rows.push({
            system: label,
            metric,
            group,
            questions: n,
            answers,
            mean,
            low,
            high,
            unscored,
            unexecutable,
          });
        }
      }
    }
    return rows.sort(
      (left, right) =>
        compareText(left.metric, right.metric) ||
        compareGroups(left.group, right.group) ||
        compareText(left.system, right.system),
    );
  }
}

/**
 * Several answers to one question say less than as many answers to different ones: the interval is Wilson's at the
 * number of answers that would have the spread of the questions' means, at least one a question.
 */
function figuresOf(cell: Cell): Pick<AccuracyFigure, "mean" | "low" | "high"> & { n: number } {
  const { n, mean, low, high, standardError } = cell.mean.figures();
  if (mean === null || standardError === null || cell.answers === n) return { n, mean, low, high };
  if (low === null) {
    const reach = NORMAL * standardError;
    return { n, mean, low: mean - reach, high: mean + reach };
  }
  const effective = standardError === 0 ? n : (mean * (1 - mean)) / standardError ** 2;
  const interval = wilsonInterval(mean, Math.min(cell.answers, Math.max(n, effective)));
  return { n, mean, low: interval?.low ?? low, high: interval?.high ?? high };
}

/** Kinds of groups in the order that they are shown in. */
const KINDS = ["all", "dataset", "hardness", "difficulty", "turn"];

function groupsOf(example: Example, gold: GoldRow | undefined): string[] {
  const { name, release, split } = example.dataset;
  const groups = ["all", `dataset:${name} ${release} ${split}`];
  for (const verdict of Object.values(gold?.labels ?? {}).slice(0, 1)) {
    groups.push(`hardness:${verdict.status === "scored" ? verdict.label : "unknown"}`);
  }
  if (example.difficulty !== null) groups.push(`difficulty:${example.difficulty}`);
  if (example.dialogue !== null) groups.push(turnGroupOf(example.dialogue.turn));
  return groups;
}

/** A group's kind and its name in the kind. */
export function partsOfGroup(group: string): { readonly kind: string; readonly name: string } {
  const colon = group.indexOf(":");
  return colon === -1
    ? { kind: group, name: group }
    : { kind: group.slice(0, colon), name: group.slice(colon + 1) };
}

function compareGroups(left: string, right: string): number {
  const [one, other] = [partsOfGroup(left), partsOfGroup(right)];
  if (one.kind !== other.kind) return KINDS.indexOf(one.kind) - KINDS.indexOf(other.kind);
  if (one.kind === "turn") return TURN_GROUPS.indexOf(left) - TURN_GROUPS.indexOf(right);
  return compareHardness(one.name, other.name);
}
