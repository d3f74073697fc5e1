import type { AuditedExample } from "../../../core/audit.ts";
import type { Database } from "../../../core/database.ts";
import { GradusError } from "../../../core/errors.ts";
import type { Example } from "../../../core/example.ts";
import {
  namedByOptions,
  pathRoots,
  printText,
  reporterFor,
  withCommonOptions,
  writeError,
} from "../../cli/command.ts";
import { interruptSignal } from "../../interrupt.ts";
import type { OpenServices } from "../../run-services.ts";
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
import type { AuditData } from "../audit-dataset.ts";
import { audit } from "../audit-session.ts";
import { renderExample, type ShownResult } from "../render-example.ts";

interface Options extends AuditArguments {
  readonly run?: string;
}

/** Limits of the statements that are shown, and rows to show. */
const LIMITS = { cpuMs: 10_000, maxRows: 1_000_000, maxBytes: 268_435_456 };
const SHOWN = { maxShownRows: 5, maxCellCharacters: 200 };
/** Other results than the gold's that are shown. */
const SHOWN_OTHERS = 2;

/** `gradus audit show`: one annotation with everything that speaks against it. */
const command: AuditCommand = {
  register: (parent) => {
    withCommonOptions(
      withAuditArguments(
        parent
          .command("show <example>")
          .description("one annotation: its gold and result, the votes, and each finding with its evidence")
          .option("--run <name>", "audit the example of a run"),
      ),
    )
      .addHelpText(
        "after",
        "\nThe example is the dataset's own id of it, or an example id or its first eight or more digits.\n\nExample:\n  gradus audit show 1352 --dataset bird --root ~/data/bird --split dev --predictions a.json b.json c.json\n  gradus audit show 17 --run my-run",
      )
      .action((id: string, options: Options) => namedByOptions(() => show(id, options)));
  },
};

async function show(id: string, options: Options): Promise<void> {
  const target = auditTarget(options.run, options);
  const interrupt = interruptSignal(writeError);
  const isMeant = (example: Example): boolean =>
    example.sourceId === id || (/^[0-9a-f]{8,32}$/.test(id) && example.id.startsWith(id));
  try {
    const style = styleFor(process.stdout, process.env);
    const shown: string[] = [];
    const rows = await audit({
      target,
      ...auditJudge(options),
      checks: auditChecks(options),
      options: auditOptions(options),
      roots: pathRoots(options, process.cwd()),
      workers: auditWorkers(options),
      reporter: reporterFor({ ...options, quiet: true }),
      signal: interrupt.signal,
      only: isMeant,
      afterwards: async (services, data, audited) => {
        for (const row of audited) {
          const example = data.examples.find((one) => one.id === row.exampleId);
          const results = await resultsOf(row, data, services);
          shown.push(renderExample(row, example?.evidence ?? null, results, style));
        }
      },
    });
    if (rows.length === 0) {
      const place = target.run ?? `${target.dataset} ${target.split}`;
      throw new GradusError("AUDIT_EXAMPLE_UNKNOWN", `${place} has no example "${id}"`, {
        hint: "gradus audit list names examples by the dataset's own ids",
      });
    }
    printText(options.json === true ? safeJson(rows) : shown.join("\n\n\n"));
  } finally {
    interrupt.release();
  }
}

async function resultsOf(
  row: AuditedExample,
  data: AuditData,
  services: OpenServices,
): Promise<ShownResult[]> {
  const database = data.databases.get(row.databaseId);
  if (database === undefined || row.status !== "audited") return [];
  const others = (row.votes?.others ?? []).slice(0, SHOWN_OTHERS);
  const statements = [
    { title: "gold", sql: row.gold },
    ...others.map(({ votes, sql }) => ({ title: `${votes} samples`, sql })),
  ];
  return Promise.all(
    statements.map(async (one) => ({ ...one, reply: await run(one.sql, database, services) })),
  );
}

function run(sql: string, database: Database, { sql: runner }: OpenServices): Promise<ShownResult["reply"]> {
  return runner.query({ database, sql, mode: "query", limits: LIMITS, ...SHOWN });
}

export default command;
