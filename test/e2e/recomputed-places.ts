import { portRows, type RawRow } from "./raw-run.ts";

const HARDNESS = ["easy", "medium", "hard", "extra"];

/**
 * Places by example, computed again from the judged samples of a run that plans `samplesEach`: n scored and c right; dropped where the gold fails, or all are right or
 * wrong; else thirds of each split by pass rate, hardness and place in the dataset. Splits are taken as they are.
 */
export function recomputedPlaces(runFolder: string, samplesEach: number): Map<string, string> {
  const samples = new Map<string, { n: number; c: number }>();
  for (const row of portRows(runFolder, "score", "samples")) {
    const verdict = (row["verdicts"] as Record<string, { status: string; score?: number }>)["bird-ex"];
    const sum = samples.get(row["exampleId"] as string) ?? { n: 0, c: 0 };
    samples.set(row["exampleId"] as string, sum);
    if (verdict?.status === "scored") sum.n += 1;
    if (verdict?.score === 1) sum.c += 1;
  }
  const splits = new Map(
    portRows(runFolder, "split", "examples").map((row) => [
      row["exampleId"] as string,
      row["split"] as string,
    ]),
  );
  const places = new Map<string, string>();
  const kept: { id: string; split: string; rate: number; hardness: number; position: number }[] = [];
  for (const [position, gold] of portRows(runFolder, "score", "golds").entries()) {
    const id = gold["exampleId"] as string;
    const { n, c } = samples.get(id) ?? { n: 0, c: 0 };
    if (gold["reason"] !== "ok") places.set(id, gold["reason"] as string);
    else if (n === samplesEach && c === n) places.set(id, "trivial");
    else if (n === samplesEach && c === 0) places.set(id, "intractable");
    else
      kept.push({ id, split: splits.get(id) ?? "none", rate: c / n, hardness: hardnessOf(gold), position });
  }
  for (const split of ["train", "validation"]) {
    const ordered = kept
      .filter((row) => row.split === split)
      .sort((a, b) => b.rate - a.rate || a.hardness - b.hardness || a.position - b.position);
    for (const [rank, { id }] of ordered.entries()) {
      const level = `level ${1 + Math.floor((3 * rank) / ordered.length)}`;
      places.set(id, split === "train" ? level : `validation ${level}`);
    }
  }
  return places;
}

function hardnessOf(gold: RawRow): number {
  const label = (gold["labels"] as Record<string, { label?: string }>)["spider-hardness"]?.label ?? "";
  return HARDNESS.includes(label) ? HARDNESS.indexOf(label) : HARDNESS.length;
}
