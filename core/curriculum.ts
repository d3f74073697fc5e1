import type { SeededRandom } from "./random.ts";

/** What a curriculum knows of an example that stayed. */
export interface CurriculumItem {
  readonly exampleId: string;
  /** Position in the dataset's order, from 0. */
  readonly position: number;
  /** Spider hardness, or the dataset's difficulty; `null` when unknown. */
  readonly hardness: string | null;
  /** Scored samples and right ones. */
  readonly n: number;
  readonly c: number;
}

/** Where an example is put: `level` 0 is first; `rank` is its 0-based place over all levels. */
export interface CurriculumPlace {
  readonly exampleId: string;
  readonly level: number;
  readonly rank: number;
}

/** Orders examples for training. Pure; every item gets exactly one place. */
export interface Curriculum {
  readonly kind: "curriculum";
  readonly id: string;
  readonly version: number;
  /** Whether it reads n and c, so that every example must have been sampled in full. */
  readonly needsRates: boolean;
  /** `levels`: how many bins a person asked for. */
  order(items: readonly CurriculumItem[], levels: number, random: SeededRandom): readonly CurriculumPlace[];
}

/** Types a curriculum plug; the file's stem is its id. */
export function defineCurriculum(curriculum: Omit<Curriculum, "kind">): Curriculum {
  return { kind: "curriculum", ...curriculum };
}
