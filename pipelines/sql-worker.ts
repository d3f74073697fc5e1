import type { DatabaseSchema } from "../core/database.ts";
import { GradusError, messageOf } from "../core/errors.ts";
import type { ResultTable } from "../core/execution.ts";
import type { Metric } from "../core/metric.ts";
import { inspectDatabase } from "../io/inspect-database.ts";
import { settleDatabase } from "../io/database-files.ts";
import { FactsOfFiles } from "../io/facts-of-files.ts";
import { shownReply } from "../io/shown-cells.ts";
import { freeClosedConnections } from "../io/sql-driver.ts";
import { SqlEngine } from "../io/sql-engine.ts";
import { serveTasks } from "../io/worker-server.ts";
import type { TaskServing } from "../io/worker-server.ts";
import { type JudgedMessage, judgedMessage } from "./judged-message.ts";
import { createPlugFinder } from "./plugs.ts";
import { SqlBatch } from "./sql-batch.ts";
import { runProfileTask, runSearchTask } from "./sql-profiling.ts";
import type { JudgeTask, SqlPart, SqlTask } from "./sql-protocol.ts";

/** How long finished groups may wait to be sent, milliseconds: what is sent survives a killed worker. */
const SEND_AFTER_MS = 100;

/** Exit status of a worker that SQLite told it gets no memory. */
const OUT_OF_MEMORY_STATUS = 70;

/** What SQLite says when it gets no memory. */
const OUT_OF_MEMORY = "out of memory";

const plugs = createPlugFinder();
const metrics = new Map<string, Metric>();
const schemas = new Map<string, DatabaseSchema>();
const facts = new FactsOfFiles();

serveTasks(async (body, serving) => {
  const task = body as SqlTask;
  switch (task.kind) {
    case "judge":
      return judge(task, serving);
    case "inspect": {
      serving.progress.mark(0, "statement");
      const database = await inspectDatabase(task.request, task.copyPath);
      return serving.send({ kind: "inspected", database } satisfies SqlPart);
    }
    case "query": {
      const engine = SqlEngine.open(task.path, {
        mode: task.mode,
        readsInReverse: task.readsInReverse === true,
      });
      try {
        serving.progress.mark(0, "statement");
        const table = engine.run(task.sql, task.limits);
        if (isOutOfMemory(table)) process.exit(OUT_OF_MEMORY_STATUS);
        serving.progress.turn("idle");
        const reply = shownReply(table, task.maxShownRows, task.maxCellCharacters);
        return await serving.send({ kind: "queried", reply } satisfies SqlPart);
      } finally {
        engine.close();
      }
    }
    case "settle":
      serving.progress.mark(0, "statement");
      settleDatabase(task.path);
      return;
    case "profile":
      return runProfileTask(task, serving).catch(exitWithoutMemory);
    case "search":
      return runSearchTask(task, serving).catch(exitWithoutMemory);
  }
});

/** What memory was left depends on what this process did before, so the task runs again in a fresh one. */
function exitWithoutMemory(thrown: unknown): never {
  if (messageOf(thrown) === OUT_OF_MEMORY) process.exit(OUT_OF_MEMORY_STATUS);
  throw thrown;
}

/** What memory was left to the statement depends on those before it, so it runs again in a fresh process. */
function isOutOfMemory({ execution }: ResultTable): boolean {
  return execution.status === "error" && execution.message === OUT_OF_MEMORY;
}

async function judge(task: JudgeTask, serving: TaskServing): Promise<void> {
  if (task.forgetSchemas) schemas.clear();
  for (const [key, schema] of Object.entries(task.schemas)) schemas.set(key, schema);
  for (const id of new Set(task.groups.flatMap((group) => group.metrics))) await loadMetric(id);
  const batch = new SqlBatch(task, {
    progress: serving.progress,
    metrics,
    schemas,
    factsOf: (path) => facts.of(path),
    outOfMemory: () => process.exit(OUT_OF_MEMORY_STATUS),
  });
  try {
    let finished: JudgedMessage[] = [];
    let sentAt = performance.now();
    for (const group of task.groups) {
      finished.push(judgedMessage(batch.judge(group)));
      await freeClosedConnections();
      if (performance.now() - sentAt < SEND_AFTER_MS) continue;
      serving.progress.turn("idle");
      await serving.send({ kind: "judged", groups: finished } satisfies SqlPart);
      finished = [];
      sentAt = performance.now();
    }
    serving.progress.turn("idle");
    if (finished.length > 0) await serving.send({ kind: "judged", groups: finished } satisfies SqlPart);
  } finally {
    batch.close();
  }
}

async function loadMetric(id: string): Promise<void> {
  if (metrics.has(id)) return;
  const plug = await plugs.find("metric", id);
  if (plug.kind !== "metric") {
    throw new GradusError("PLUG_MALFORMED", `"${id}" is a label, expected a metric`);
  }
  metrics.set(id, plug);
}
