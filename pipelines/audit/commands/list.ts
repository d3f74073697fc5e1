import path from "node:path";
import type { AuditedExample } from "../../../core/audit.ts";
import { auditTotals, rankAudited } from "../../../curation/rank-audited.ts";
import { makeFolder, move } from "../../../io/files.ts";
import { limitHeapGrowth } from "../../../io/heap-growth.ts";
import { RowWriter } from "../../../io/jsonl.ts";
import {
  namedByOptions,
  pathRoots,
  printText,
  refuseOverwriting,
  reporterFor,
  wholeNumber,
  withCommonOptions,
  writeError,
} from "../../cli/command.ts";
import { interruptSignal } from "../../interrupt.ts";
import { safeJson, styleFor } from "../../terminal-text.ts";
import {
  type AuditArguments,
  auditChecks,
  auditJudge,
  auditOptions,
  auditTarget,
  auditWorkers,
  withAuditArguments,
} from "../audit-arguments.ts";
import type { AuditCommand } from "../audit-command.ts";
import { audit } from "../audit-session.ts";
import { renderAuditList } from "../render-audit.ts";

interface Options extends AuditArguments {
  readonly top?: string;
  readonly out?: string;
}

/** Examples that a person is shown. */
const SHOWN = 30;

/** `gradus audit list`: the annotations that are likely wrong, ranked. */
const command: AuditCommand = {
  register: (parent) => {
    withCommonOptions(
      withAuditArguments(
        parent.command("list [run]").description("rank annotations by how likely they are wrong"),
      )
        .option("--top <n>", `examples to show (default: ${SHOWN}, with --json all)`)
        .option("--out <file>", "write every finding there too, JSON Lines"),
    )
      .addHelpText(
        "after",
        "\nChecks look at text and data of each gold; the samples of a run, or the answers of --predictions, vote on its\nresult. No other release is read. With --json: totals, and every example that has a finding, with its votes, ranked.\n\nExample:\n  gradus audit list --dataset bird --root ~/data/bird --split dev --predictions a.json b.json c.json\n  gradus audit list my-run --top 50",
      )
      .action((target: string | undefined, options: Options) => namedByOptions(() => list(target, options)));
  },
};

async function list(run: string | undefined, options: Options): Promise<void> {
  limitHeapGrowth();
  const target = auditTarget(run, options);
  if (options.out !== undefined) refuseOverwriting(options.out, target.predictions);
  const top = options.top === undefined ? null : wholeNumber("--top", options.top, 1);
  const interrupt = interruptSignal(writeError);
  try {
    const rows = await audit({
      target,
      ...auditJudge(options),
      checks: auditChecks(options),
      options: auditOptions(options),
      roots: pathRoots(options, process.cwd()),
      workers: auditWorkers(options),
      reporter: reporterFor(options),
      signal: interrupt.signal,
    });
    const ranked = rankAudited(rows);
    const totals = auditTotals(rows);
    if (options.out !== undefined) await writeFindings(rows, options.out);
    if (options.json === true)
      printText(safeJson({ totals, examples: top === null ? ranked : ranked.slice(0, top) }));
    else
      printText(
        renderAuditList(ranked, totals, { top: top ?? SHOWN, style: styleFor(process.stdout, process.env) }),
      );
  } finally {
    interrupt.release();
  }
}

/** Findings in the order of the dataset. */
async function writeFindings(rows: readonly AuditedExample[], out: string): Promise<void> {
  const partial = `${path.resolve(out)}.partial`;
  await makeFolder(path.dirname(partial));
  const writer = await RowWriter.open(partial);
  for (const row of rows) for (const finding of row.findings) await writer.add(finding);
  await writer.finish();
  await move(partial, path.resolve(out));
}

export default command;
