import path from "node:path";
import { describe, expect, it } from "vitest";
import type { Ledger, LedgerOutcome } from "../../core/ledger.ts";
import type { Model } from "../../core/model.ts";
import type { SqlRunner } from "../../core/sql-runner.ts";
import { openLedger } from "../../io/ledger.ts";
import { runEpisode, type EpisodeServices } from "../../synth/run-episode.ts";
import { NO_PROFILER } from "../fakes/run-stage.ts";
import { ScriptedModel } from "../fakes/model.ts";
import { temporaryFolder } from "../temporary-folder.ts";
import { idOf, runner, SCRIPT, TRAIL } from "./episode-services.ts";

/** Lets `allowed` steps pass, then throws at every one: before and after each effect of an episode. */
class Killer {
  readonly passed: string[] = [];
  #allowed: number;

  constructor(allowed: number) {
    this.#allowed = allowed;
  }

  step(name: string): void {
    if (this.#allowed === 0) throw new Error(`killed ${name}`);
    this.#allowed -= 1;
    this.passed.push(name);
  }

  wrap<T extends object>(target: T, names: readonly (keyof T & string)[]): T {
    return new Proxy(target, {
      get: (_, name) => {
        const value: unknown = Reflect.get(target, name, target);
        if (typeof value !== "function") return value;
        if (!names.includes(name as keyof T & string)) return value.bind(target) as unknown;
        return async (...given: unknown[]) => {
          this.step(`before ${String(name)}`);
          const result: unknown = await Reflect.apply(value, target, given);
          this.step(`after ${String(name)}`);
          return result;
        };
      },
    });
  }
}

/** The line of the script for the turn that a request asks for. */
const perCall = (model: { messages: readonly unknown[] }): string =>
  SCRIPT[(model.messages.length - 2) / 2] ?? "";

/** Runs an episode until a kill, then again on the same ledger. */
async function killedAt(allowed: number) {
  const file = path.join(await temporaryFolder(), "ledger.sqlite");
  const model = new ScriptedModel((request) => perCall(request));
  const sql = runner();
  const { signal } = new AbortController();
  const killer = new Killer(allowed);
  const ledger = await openLedger(file);
  const wrapped: EpisodeServices = {
    model: killer.wrap<Model>(model, ["complete"]),
    sql: killer.wrap<SqlRunner>(sql, ["query"]),
    ledger: killer.wrap<Ledger>(ledger, ["openSample", "commitReply", "commitObservation", "finish"]),
    profiler: NO_PROFILER,
    signal,
  };
  const end = await runEpisode(TRAIL, wrapped).catch((thrown: unknown) => String(thrown));
  await ledger.close();
  const reopened = await openLedger(file);
  const outcome: LedgerOutcome = await runEpisode(TRAIL, {
    model,
    sql,
    profiler: NO_PROFILER,
    ledger: reopened,
    signal,
  });
  const dropped = reopened.droppedTurns(idOf(TRAIL)).length;
  await reopened.close();
  return {
    end,
    outcome,
    passed: killer.passed,
    asked: model.requests.length,
    ran: sql.requests.length,
    dropped,
  };
}

describe("a killed episode", () => {
  it("asks for nothing twice that was committed, wherever it was killed", async () => {
    const whole = await killedAt(Infinity);
    expect(whole.passed).toHaveLength(20);
    for (let allowed = 0; allowed < whole.passed.length; allowed += 1) {
      const { end, outcome, passed, asked, ran, dropped } = await killedAt(allowed);
      expect(end).toMatch(/^Error: killed/);
      expect(outcome).toEqual(whole.outcome);
      const isUncommitted = passed.at(-1) === "before complete" || passed.at(-1) === "after complete";
      expect([passed.at(-1), asked]).toEqual([passed.at(-1), isUncommitted ? 4 : 3]);
      const isUnseen = ["before query", "after query"].includes(passed.at(-1) ?? "");
      expect([passed.at(-1), ran]).toEqual([passed.at(-1), isUnseen ? 2 : 1]);
      expect(dropped).toBe(0);
    }
  });
});
