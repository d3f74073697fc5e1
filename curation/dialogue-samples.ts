import type { Example } from "../core/example.ts";
import type { ScoredSample } from "../core/rows.ts";
import { unscored } from "../core/verdict.ts";
import { dialogueVerdict } from "./interaction-match.ts";
import { verdictOf } from "./pass-rates.ts";

/** Tells systems apart: a model's checkpoint under a setting, a round and a sample index. */
export function systemKeyOf(sample: ScoredSample): string {
  const { model, setting, round, sampleIndex } = sample;
  return JSON.stringify([model.name, model.revision, setting, round, sampleIndex]);
}

/** The samples of a dialogue, one per system that has a sample of each of its turns. */
export interface DialogueSamples {
  /** Each stands for the dialogue: its verdicts are those on the whole of it. */
  readonly samples: readonly ScoredSample[];
  /** Whether every turn can be judged. */
  readonly isExecutable: boolean;
}

interface OpenDialogue {
  /** Samples by system, and the number of turns of which the system has one. */
  readonly systems: Map<string, { readonly samples: ScoredSample[]; turns: number }>;
  isExecutable: boolean;
  turns: number;
}

/** Gathers the samples of dialogues turn by turn; holds those of dialogues that are not whole yet. */
export class DialogueCollector {
  readonly #metrics: readonly string[];
  readonly #open = new Map<string, OpenDialogue>();

  constructor(metrics: readonly string[]) {
    this.#metrics = metrics;
  }

  /**
   * Adds a turn; the dialogue where that was its last one missing.
   * @throws METRIC_NOT_SCORED as {@link verdictOf}.
   */
  add(
    example: Example,
    samples: readonly ScoredSample[],
    isExecutable: boolean,
  ): DialogueSamples | undefined {
    if (example.dialogue === null) return undefined;
    const { name, release, split } = example.dataset;
    const key = JSON.stringify([name, release, split, example.dialogue.id]);
    const dialogue = this.#open.get(key) ?? { systems: new Map(), isExecutable: true, turns: 0 };
    this.#open.set(key, dialogue);
    dialogue.turns += 1;
    dialogue.isExecutable &&= isExecutable;
    const present = new Set<string>();
    for (const sample of samples) {
      const systemKey = systemKeyOf(sample);
      const system = dialogue.systems.get(systemKey) ?? { samples: [], turns: 0 };
      dialogue.systems.set(systemKey, system);
      system.samples.push(sample);
      if (!present.has(systemKey)) system.turns += 1;
      present.add(systemKey);
    }
    if (dialogue.turns < example.dialogue.turns) return undefined;
    this.#open.delete(key);
    return this.#joined(dialogue, dialogue.isExecutable);
  }

  /** The dialogues of which turns are missing among the examples: none of them can be judged. */
  incomplete(): DialogueSamples[] {
    const incomplete = unscored("dialogue_incomplete", "turns of the dialogue are not among the examples");
    return [...this.#open.values()].map((dialogue) => {
      const { samples } = this.#joined(dialogue, false);
      const verdicts = Object.fromEntries(this.#metrics.map((metric) => [metric, incomplete]));
      return { samples: samples.map((sample) => ({ ...sample, verdicts })), isExecutable: false };
    });
  }

  #joined(dialogue: OpenDialogue, isExecutable: boolean): DialogueSamples {
    const whole = [...dialogue.systems.values()].filter(({ turns }) => turns === dialogue.turns);
    const samples = whole.map((system) => {
      const verdicts = this.#metrics.map(
        (metric) =>
          [metric, dialogueVerdict(system.samples.map((sample) => verdictOf(sample, metric)))] as const,
      );
      return { ...(system.samples[0] as ScoredSample), verdicts: Object.fromEntries(verdicts) };
    });
    return { samples, isExecutable };
  }
}
