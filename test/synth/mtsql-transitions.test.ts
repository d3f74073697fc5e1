import { describe, expect, it } from "vitest";
import {
  expectedAfter,
  MTSQL_START,
  stepsAfter,
  takeMove,
  type MtsqlProgress,
  type MtsqlStep,
} from "../../synth/mtsql-transitions.ts";

const STEPS: readonly MtsqlStep[] = [
  "PROPOSE",
  "EXECUTE",
  "E-VERIFY:pass",
  "E-VERIFY:fail",
  "M-VERIFY:pass",
  "M-VERIFY:fail",
  "SELF-CORRECT",
  "FINALIZE",
];
const STATES: readonly (MtsqlStep | null)[] = [null, ...STEPS];

/** The paper's rule by hand: every pair that is allowed, in a dialogue with earlier questions. */
const ALLOWED: ReadonlySet<string> = new Set([
  "null>PROPOSE",
  "PROPOSE>EXECUTE",
  "SELF-CORRECT>EXECUTE",
  "EXECUTE>E-VERIFY:pass",
  "EXECUTE>E-VERIFY:fail",
  "E-VERIFY:pass>M-VERIFY:pass",
  "E-VERIFY:pass>M-VERIFY:fail",
  "E-VERIFY:fail>SELF-CORRECT",
  "M-VERIFY:fail>SELF-CORRECT",
  "M-VERIFY:pass>FINALIZE",
]);
const ALLOWED_AT_FIRST: ReadonlySet<string> = new Set([
  ...[...ALLOWED].filter((pair) => !pair.startsWith("E-VERIFY:pass>")),
  "E-VERIFY:pass>FINALIZE",
]);

/** All pairs of states and steps. */
const PAIRS = STATES.flatMap((last) => STEPS.map((step) => [String(last), last, step] as const));

const at = (last: MtsqlStep | null, isMemoryShown = false): MtsqlProgress => ({ last, isMemoryShown });

/** Every run of steps that the rule allows from the start, up to a length, as text. */
function runs(hasMemory: boolean, length: number): string[] {
  let open: MtsqlStep[][] = [[]];
  const ended: string[] = [];
  for (let count = 0; count < length; count += 1) {
    open = open.flatMap((run) => stepsAfter(run.at(-1) ?? null, hasMemory).map((step) => [...run, step]));
    ended.push(...open.filter((run) => run.at(-1) === "FINALIZE").map((run) => run.join(" ")));
  }
  return ended;
}

describe("stepsAfter", () => {
  it.each(PAIRS)("after %s: every step by the paper's rule", (name, last, step) => {
    expect(stepsAfter(last, true).includes(step)).toBe(ALLOWED.has(`${name}>${step}`));
    expect(stepsAfter(last, false).includes(step)).toBe(ALLOWED_AT_FIRST.has(`${name}>${step}`));
  });

  it("lets the shortest episodes be these, and only these", () => {
    expect(runs(true, 5)).toEqual(["PROPOSE EXECUTE E-VERIFY:pass M-VERIFY:pass FINALIZE"]);
    expect(runs(false, 4)).toEqual(["PROPOSE EXECUTE E-VERIFY:pass FINALIZE"]);
    expect(runs(true, 8)).toEqual([
      "PROPOSE EXECUTE E-VERIFY:pass M-VERIFY:pass FINALIZE",
      "PROPOSE EXECUTE E-VERIFY:fail SELF-CORRECT EXECUTE E-VERIFY:pass M-VERIFY:pass FINALIZE",
    ]);
    expect(runs(true, 9)).toContain(
      "PROPOSE EXECUTE E-VERIFY:pass M-VERIFY:fail SELF-CORRECT EXECUTE E-VERIFY:pass M-VERIFY:pass FINALIZE",
    );
    expect(runs(false, 12).filter((run) => run.includes("M-VERIFY"))).toEqual([]);
  });

  it("ends every run with FINALIZE after both checks passed, whatever came before", () => {
    const all = runs(true, 14);
    expect(all.length).toBeGreaterThan(3);
    for (const run of all) {
      expect(run).toMatch(/EXECUTE E-VERIFY:pass M-VERIFY:pass FINALIZE$/);
      expect(run).toMatch(/^PROPOSE EXECUTE /);
      expect(run.match(/FINALIZE/g)).toHaveLength(1);
    }
  });
});

describe("expectedAfter", () => {
  it("asks for the memory between the two checks, where there is one", () => {
    expect(expectedAfter(at("E-VERIFY:pass"), true)).toEqual(["consult"]);
    expect(expectedAfter(at("E-VERIFY:pass", true), true)).toEqual(["M-VERIFY:pass", "M-VERIFY:fail"]);
    expect(expectedAfter(at("E-VERIFY:pass"), false)).toEqual(["FINALIZE"]);
    expect(expectedAfter(MTSQL_START, true)).toEqual(["PROPOSE"]);
    expect(expectedAfter(at("FINALIZE"), true)).toEqual([]);
  });
});

describe("takeMove", () => {
  it.each(PAIRS)("after %s: takes a single step or leaves everything as it was", (name, last, step) => {
    for (const isMemoryShown of [false, true]) {
      for (const hasMemory of [false, true]) {
        const allowed = (hasMemory ? ALLOWED : ALLOWED_AT_FIRST).has(`${name}>${step}`);
        const waits = hasMemory && last === "E-VERIFY:pass" && !isMemoryShown;
        const before = at(last, isMemoryShown);
        const { progress, refusal } = takeMove(before, { steps: [step], consultsMemory: false }, hasMemory);
        expect(refusal === null).toBe(allowed && !waits);
        expect(progress).toEqual(refusal === null ? at(step) : before);
        if (refusal !== null) expect(refusal.step).toBe(step);
      }
    }
  });

  it.each(STATES.map((last) => [String(last), last] as const))(
    "after %s: the memory is consulted after a passed check of the execution, once",
    (_, last) => {
      for (const hasMemory of [false, true]) {
        for (const isMemoryShown of [false, true]) {
          const before = at(last, isMemoryShown);
          const { progress, refusal } = takeMove(before, { steps: [], consultsMemory: true }, hasMemory);
          const allowed = hasMemory && !isMemoryShown && last === "E-VERIFY:pass";
          expect(refusal === null).toBe(allowed);
          expect(progress).toEqual(allowed ? at(last, true) : before);
        }
      }
    },
  );

  it("takes the replies of an episode with a correction", () => {
    let progress = MTSQL_START;
    const moves: [MtsqlStep[], boolean][] = [
      [["PROPOSE", "EXECUTE"], false],
      [["E-VERIFY:fail", "SELF-CORRECT", "EXECUTE"], false],
      [["E-VERIFY:pass"], true],
      [["M-VERIFY:fail", "SELF-CORRECT", "EXECUTE"], false],
      [["E-VERIFY:pass"], true],
      [["M-VERIFY:pass", "FINALIZE"], false],
    ];
    for (const [steps, consultsMemory] of moves) {
      const taken = takeMove(progress, { steps, consultsMemory }, true);
      expect(taken.refusal).toBeNull();
      progress = taken.progress;
    }
    expect(progress).toEqual(at("FINALIZE"));
  });

  it("refuses a move whole when one of its steps is wrong, and says what was due", () => {
    const skipped = takeMove(
      at("EXECUTE"),
      { steps: ["E-VERIFY:pass", "FINALIZE"], consultsMemory: false },
      true,
    );
    expect(skipped).toEqual({
      progress: at("EXECUTE"),
      refusal: { step: "FINALIZE", expected: ["consult"] },
    });
    const early = takeMove(at("EXECUTE"), { steps: [], consultsMemory: true }, true);
    expect(early.refusal).toEqual({ step: "consult", expected: ["E-VERIFY:pass", "E-VERIFY:fail"] });
  });
});
