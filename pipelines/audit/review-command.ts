import type { Command } from "commander";
import { GradusError } from "../../core/errors.ts";
import { timeOfDay } from "../../io/clock.ts";
import { type CommonOptions, pathRoots } from "../cli/command.ts";
import { resolvePath } from "../paths.ts";
import { createPlugFinder } from "../plugs.ts";
import { Review } from "./review.ts";

/** Options of the commands that decide. */
export interface ReviewOptions extends CommonOptions {
  readonly dataset: string;
  readonly root?: string;
  readonly split: string;
  readonly release?: string;
  readonly findings: string;
  readonly decisions: string;
  readonly corrections: string;
  readonly check?: string;
  readonly reason?: string;
  readonly kind?: string;
  readonly author?: string;
  readonly time?: string;
}

/** Adds the options that say what is under review and where decisions go. */
export function withReviewOptions(command: Command): Command {
  return command
    .requiredOption("--dataset <loader>", "the loader of the dataset under review")
    .option("--root <dir>", "its folder (default: <loader> below the data root)")
    .requiredOption("--split <name>", "its split")
    .option("--release <name>", "release to insist on")
    .option("--findings <file>", "findings, as JSON Lines", "findings.jsonl")
    .option("--decisions <file>", "where decisions are kept", "decisions.jsonl")
    .option("--corrections <file>", "the overlay that follows from the decisions", "corrections.jsonl")
    .option("--data <dir>", "data root: the folder that holds your datasets (default: $GRADUS_DATA)")
    .option("--runs <dir>", "folder of the runs (default: ./runs)")
    .option("--json", "one JSON document on standard output, nothing else");
}

/** Adds the options that say who decides and why. */
export function withDecisionOptions(command: Command): Command {
  return command
    .option("--check <id>", "the check whose finding is meant, where a question has several")
    .option("--reason <text>", "why (default: what the finding says)")
    .option("--kind <name>", "kind of the error (default: the finding's)")
    .option("--author <name>", "who decides (default: $GRADUS_AUTHOR, else $USER)")
    .option("--time <instant>", "when, ISO 8601 in UTC (default: now)");
}

/** Opens the review that the options name. */
export async function openReview(options: ReviewOptions): Promise<Review> {
  const loader = await createPlugFinder().find("loader", options.dataset);
  const root = await resolvePath(options.root ?? options.dataset, pathRoots(options, process.cwd()));
  const source = { root, split: options.split, release: options.release ?? null };
  return Review.open(loader, source, { decisions: options.decisions, corrections: options.corrections });
}

/** Who decides, and when. @throws USAGE without a name, or with a time that is none. */
export function authorOf(options: Pick<ReviewOptions, "author" | "time">): { author: string; time: string } {
  const author = options.author ?? process.env["GRADUS_AUTHOR"] ?? process.env["USER"] ?? "";
  if (author.trim() === "") throw new GradusError("USAGE", "no author is known, expected --author NAME");
  const time = options.time ?? timeOfDay();
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?Z$/.test(time))
    throw new GradusError("USAGE", `--time must be like 2026-01-31T12:00:00Z, got "${time}"`);
  return { author, time };
}
