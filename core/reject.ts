import { z } from "zod";

/** A row that a stage could not use: a row with a reason, never a crash. */
export const Reject = z.strictObject({
  /** The row's id, or its place (`dev.json[17]`) when it has none. */
  rowId: z.string(),
  /** UPPER_SNAKE. */
  code: z.string(),
  message: z.string(),
});
export type Reject = z.infer<typeof Reject>;
