import { z } from "zod";

/** The fields by which a call names an example. */
export const EXAMPLE_NAME = {
  example_id: z.string().optional(),
  source_id: z.string().optional(),
  dataset: z.string().optional(),
  split: z.string().optional(),
};

/** A body that names an example, by its id or by its dataset's own name of the row. */
export const NamesExample = z.looseObject(EXAMPLE_NAME);

/** Whether a body names one. */
export function namesExample({ example_id: id, source_id: source }: z.infer<typeof NamesExample>): boolean {
  return id !== undefined || source !== undefined;
}

/** What a call says that names none. */
export const NO_EXAMPLE = "give example_id, or source_id with dataset and split";
