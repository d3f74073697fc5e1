import { it } from "vitest";
import { expectHelp, expectUsageError } from "./expect-usage.ts";

it("help has an example", () => expectHelp("compare"));

it("wrong usage exits with 2", async () => {
  await expectUsageError(["compare"], "give two runs, or --before and --after with --dataset and --split");
  const args = ["compare", "--before", "a", "--after", "b", "--dataset", "spidr", "--split", "dev"];
  await expectUsageError(args, 'did you mean "spider"?');
});
