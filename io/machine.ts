import { availableParallelism } from "node:os";

/** Cores that this process may use. */
export function cores(): number {
  return availableParallelism();
}
