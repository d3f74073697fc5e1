import { readFileSync } from "node:fs";

const TICKS_A_SECOND = 100;

/** CPU seconds of this process and of the children that it has waited for (Linux). */
export function processorSeconds(): { readonly own: number; readonly children: number } {
  const text = readFileSync("/proc/self/stat", "utf8");
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
  const children = (Number(fields[13]) + Number(fields[14])) / TICKS_A_SECOND;
  const { user, system } = process.cpuUsage();
  return { own: (user + system) / 1e6, children };
}

/** The middle value; of an even number, the lower middle. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((left, right) => left - right);
  return sorted[Math.floor((sorted.length - 1) / 2)] ?? Number.NaN;
}
