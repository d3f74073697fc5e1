import { z } from "zod";
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
  /** The loader of its dataset; left out where nobody asks. */
  readonly dataset?: string;
  /** Whether a trajectory of it was chosen for imitation; left out for no. */
  readonly taught?: boolean;
}

/** Where an example is put: `level` 0 is first; `rank` is its 0-based place over all levels. */
export interface CurriculumPlace {
  readonly exampleId: string;
  readonly level: number;
  readonly rank: number;
}

/** Orders examples for training. Pure; every item that is not left out gets exactly one place. */
export interface Curriculum<Options extends z.ZodType = z.ZodType> {
  readonly kind: "curriculum";
  readonly id: string;
  readonly version: number;
  /** Whether it reads n and c, so that every example must have been sampled in full. */
  readonly needsRates: boolean;
  /** Whether its levels have a meaning of their own, however many were asked for; left out for no. */
  readonly hasOwnLevels?: boolean;
  /** A strict object with defaults. */
  readonly options: Options;
  /** Items of the training split that are not to be practised on, by id, each with a snake_case reason. */
  leavesOut?(items: readonly CurriculumItem[], options: z.infer<Options>): ReadonlyMap<string, string>;
  /** `levels`: how many bins a person asked for. */
  order(
    items: readonly CurriculumItem[],
    levels: number,
    random: SeededRandom,
    options: z.infer<Options>,
  ): readonly CurriculumPlace[];
}

type Given<Options extends z.ZodType> = Omit<Curriculum<Options>, "kind" | "options">;

/** Types a curriculum plug; the file's stem is its id. Without `options` it has none. */
export function defineCurriculum<Options extends z.ZodType = z.ZodType<Record<string, never>>>(
  curriculum: Given<Options> & { readonly options?: Options },
): Curriculum {
  const options = z.strictObject({});
  return { kind: "curriculum", options, ...curriculum } as unknown as Curriculum;
}
