import type { z } from "zod";
import type { Trajectory } from "../core/trajectory.ts";
import type { EffortFigures, ToolFigures } from "./evaluated-rows.ts";
import { MeanCounter, NameCounter } from "./mean-counter.ts";

interface GroupEffort {
  samples: number;
  readonly turns: MeanCounter;
  readonly toolCalls: MeanCounter;
  readonly promptTokens: MeanCounter;
  readonly completionTokens: MeanCounter;
  readonly costMicroUsd: MeanCounter;
}

type Stage = "answer" | "linking";

/** The tool of a call that names none. */
const UNNAMED = "(unnamed)";

/** Turns, tools, tokens and cost of samples, by group; a linker's episode is a part of its sample. */
export class SampleEffort {
  readonly #groups = new Map<string, GroupEffort>();
  readonly #tools = new Map<
    string,
    { readonly stage: Stage; readonly tool: string; calls: number; samples: number }
  >();
  readonly #turns = new NameCounter();
  readonly #stops = new NameCounter();
  #samples = 0;

  /** `linking`: the episode of the schema linker that came before the answer's, if one did. */
  add(groups: readonly string[], answer: Trajectory, linking: Trajectory | undefined): void {
    this.#samples += 1;
    const episodes = linking === undefined ? [answer] : [linking, answer];
    const turns = sum(episodes.map(turnsOf));
    this.#turns.add(String(turns));
    this.#stops.add(answer.stopReason);
    this.#addTools("answer", answer);
    if (linking !== undefined) this.#addTools("linking", linking);
    for (const group of groups) {
      const effort = this.#groups.get(group) ?? emptyEffort();
      this.#groups.set(group, effort);
      effort.samples += 1;
      effort.turns.add(turns);
      effort.toolCalls.add(sum(episodes.map((episode) => callsOf(episode).length)));
      effort.promptTokens.add(usageOf(episodes, "promptTokens"));
      effort.completionTokens.add(usageOf(episodes, "completionTokens"));
      effort.costMicroUsd.add(usageOf(episodes, "costMicroUsd"));
    }
  }

  figures(): z.infer<typeof EffortFigures>[] {
    return [...this.#groups].map(([group, effort]) => ({
      group,
      samples: effort.samples,
      turns: effort.turns.mean ?? 0,
      toolCalls: effort.toolCalls.mean ?? 0,
      promptTokens: effort.promptTokens.mean,
      completionTokens: effort.completionTokens.mean,
      costMicroUsd: effort.costMicroUsd.mean,
    }));
  }

  toolFigures(): z.infer<typeof ToolFigures>[] {
    const share = (samples: number): number => (this.#samples === 0 ? 0 : samples / this.#samples);
    return [...this.#tools]
      .sort(([left], [right]) => (left < right ? -1 : 1))
      .map(([, figures]) => ({ ...figures, share: share(figures.samples) }));
  }

  turns(): Record<string, number> {
    const counts = this.#turns.record();
    return Object.fromEntries(Object.entries(counts).sort(([left], [right]) => Number(left) - Number(right)));
  }

  stopReasons(): Record<string, number> {
    return this.#stops.record();
  }

  #addTools(stage: Stage, episode: Trajectory): void {
    const seen = new Set<string>();
    for (const tool of callsOf(episode)) {
      const key = `${stage} ${tool}`;
      const figures = this.#tools.get(key) ?? { stage, tool, calls: 0, samples: 0 };
      this.#tools.set(key, figures);
      figures.calls += 1;
      if (!seen.has(tool)) figures.samples += 1;
      seen.add(tool);
    }
  }
}

function emptyEffort(): GroupEffort {
  return {
    samples: 0,
    turns: new MeanCounter(),
    toolCalls: new MeanCounter(),
    promptTokens: new MeanCounter(),
    completionTokens: new MeanCounter(),
    costMicroUsd: new MeanCounter(),
  };
}

function turnsOf({ messages }: Trajectory): number {
  return messages.filter(({ origin }) => origin === "sampled").length;
}

function callsOf({ messages }: Trajectory): string[] {
  return messages.flatMap(({ origin, toolCalls }) =>
    origin === "sampled" ? toolCalls.map(({ name }) => (name === "" ? UNNAMED : name)) : [],
  );
}

/** The sum over episodes; `null` where one does not say. */
function usageOf(episodes: readonly Trajectory[], figure: keyof Trajectory["usage"]): number | null {
  let total = 0;
  for (const { usage } of episodes) {
    const value = usage[figure];
    if (value === null) return null;
    total += value;
  }
  return total;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
