import type { Execution } from "../core/execution.ts";
import type { JudgedAnswer } from "../core/judge.ts";

type Verdicts = JudgedAnswer["verdicts"];

/** What the worker found for one judge request. */
export interface JudgedGroup {
  readonly id: number;
  readonly gold: readonly Execution[];
  /** One for each distinct prediction. */
  readonly answers: readonly JudgedAnswer[];
}

/** A judged group as it crosses the border of processes: answers mostly agree, so what they share is sent once. */
export interface JudgedMessage {
  readonly id: number;
  readonly gold: readonly Execution[];
  /** Of the answers. */
  readonly executions: readonly Execution[];
  readonly verdicts: readonly Verdicts[];
  /** For each answer the places of its execution and its verdicts. */
  readonly places: readonly number[];
}

/** How far back an equal value is looked for. */
const LOOK_BACK = 8;

/** What to send for a judged group. */
export function judgedMessage({ id, gold, answers }: JudgedGroup): JudgedMessage {
  const executions: Execution[] = [];
  const verdicts: Verdicts[] = [];
  const places: number[] = [];
  for (const answer of answers) {
    places.push(placeIn(executions, answer.execution, isSameExecution));
    places.push(placeIn(verdicts, answer.verdicts, areSameVerdicts));
  }
  return { id, gold, executions, verdicts, places };
}

/** The group that was sent; equal executions and verdicts of its answers are one object. */
export function judgedGroup({ id, gold, executions, verdicts, places }: JudgedMessage): JudgedGroup {
  const answers: JudgedAnswer[] = [];
  for (let index = 0; index < places.length; index += 2) {
    answers.push({
      execution: executions[places[index] as number] as Execution,
      verdicts: verdicts[places[index + 1] as number] as Verdicts,
    });
  }
  return { id, gold, answers };
}

function placeIn<T>(known: T[], value: T, isSame: (left: T, right: T) => boolean): number {
  for (let place = known.length - 1; place >= Math.max(0, known.length - LOOK_BACK); place -= 1) {
    if (isSame(known[place] as T, value)) return place;
  }
  return known.push(value) - 1;
}

function isSameExecution(left: Execution, right: Execution): boolean {
  return (
    left === right ||
    (left.orderedDigest === right.orderedDigest &&
      left.status === right.status &&
      left.message === right.message &&
      left.rows === right.rows &&
      left.columns === right.columns &&
      left.digest === right.digest)
  );
}

function areSameVerdicts(left: Verdicts, right: Verdicts): boolean {
  return Object.keys(left).every((id) => {
    const [one, other] = [left[id], right[id]];
    if (one?.status === "scored" && other?.status === "scored") {
      return one.score === other.score && one.details === undefined && other.details === undefined;
    }
    if (one?.status === "unscored" && other?.status === "unscored") {
      return one.reason === other.reason && one.message === other.message;
    }
    return false;
  });
}
