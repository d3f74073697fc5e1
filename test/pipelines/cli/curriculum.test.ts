import { it } from "vitest";
import { expectUsageError } from "./expect-usage.ts";

it("wrong usage exits with 2", () =>
  expectUsageError(["curriculum", "diff", "--before", "a"], "required option '--after <run>' not specified"));
