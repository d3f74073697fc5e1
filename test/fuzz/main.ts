import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { SeededRandom } from "../../core/random.ts";
import { messageOf } from "../../core/errors.ts";
import { tokenize } from "../../sql/lexer.ts";
import { parseSpiderQuery } from "../../sql/spider-parser.ts";
import { checkStatement } from "../../sql/statement-check.ts";
import { SHOP_SCHEMA, Trial } from "./invariants.ts";
import { randomText } from "./statement-grammar.ts";

const FILES_EVERY = 500;
const LONG_EVERY = 2000;
const LONG_CHARACTERS = 300_000;
/** What a long text may take in all; a step that is not linear takes minutes. */
const LONG_MS = 5000;
const MOST_FINDINGS = 50;

const { values } = parseArgs({
  options: { minutes: { type: "string", default: "1" }, seed: { type: "string", default: "1" } },
});

/** Repeats a text to a length at which what is not linear shows. */
function tryLong(text: string): void {
  if (text === "") return;
  const long = text.repeat(Math.ceil(LONG_CHARACTERS / text.length));
  const start = performance.now();
  tokenize(long);
  checkStatement(long, "explore");
  parseSpiderQuery(long, SHOP_SCHEMA);
  const tookMs = performance.now() - start;
  if (tookMs > LONG_MS) throw new Error(`repeated to ${long.length} characters it takes ${tookMs} ms`);
}

const folder = mkdtempSync(path.join(tmpdir(), "gradus-fuzz-"));
process.chdir(folder);
const trial = new Trial(folder);
const end = performance.now() + Number(values.minutes) * 60_000;
const counts = { texts: 0, admitted: 0, prepared: 0, ran: 0, long: 0 };
const findings = new Map<string, string>();
for (let index = 0; performance.now() < end && findings.size < MOST_FINDINGS; index += 1) {
  const text = randomText(new SeededRandom(Number(values.seed), "fuzz", index));
  try {
    const outcome = trial.try(text);
    counts.texts += 1;
    for (const key of ["admitted", "prepared", "ran"] as const) counts[key] += Number(outcome[key]);
    if (index % FILES_EVERY === 0) trial.checkFiles();
    if (index % LONG_EVERY === 0) {
      counts.long += 1;
      tryLong(text);
    }
  } catch (thrown) {
    const what = messageOf(thrown);
    if (findings.has(what)) continue;
    findings.set(what, text);
    console.error(`${index}: ${what}\n  ${JSON.stringify(text.slice(0, 500))}`);
  }
}
process.chdir("/");
rmSync(folder, { recursive: true, force: true });
console.log(JSON.stringify({ seed: values.seed, ...counts, findings: findings.size }));
if (findings.size > 0) process.exitCode = 1;
