import type { DatabaseSchema } from "../core/database.ts";
import { GradusError } from "../core/errors.ts";
import type { ResultTable } from "../core/execution.ts";
import type { Metric } from "../core/metric.ts";
import { inspectDatabase } from "../io/inspect-database.ts";
import { settleDatabase } from "../io/database-files.ts";
import { FileFacts } from "../io/file-facts.ts";
import { shownReply } from "../io/shown-cells.ts";
import { SqlEngine } from "../io/sql-engine.ts";
import { serveTasks } from "../io/worker-server.ts";
import type { TaskServing } from "../io/worker-server.ts";
import { createPlugFinder } from "./plugs.ts";
import { SqlBatch } from "./sql-batch.ts";
import type { JudgedGroup, JudgeTask, SqlPart, SqlTask } from "./sql-protocol.ts";

/** How long finished groups may wait to be sent, milliseconds: what is sent survives a killed worker. */
const SEND_AFTER_MS = 100;

/** Exit status of a worker that SQLite told it gets no memory. */
const OUT_OF_MEMORY_STATUS = 70;

/** What SQLite says when it gets no memory. */
const OUT_OF_MEMORY = "out of memory";

const plugs = createPlugFinder();
const metrics = new Map<string, Metric>();
const schemas = new Map<string, DatabaseSchema>();

/** What is known of the files of the last database; a worker gets requests on one database in a row. */
let lastPath: string | null = null;
const facts = new Map<string, FileFacts>();

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
  }
});

/** What memory was left to the statement depends on those before it, so it runs again in a fresh process. */
function isOutOfMemory({ execution }: ResultTable): boolean {
  return execution.status === "error" && execution.message === OUT_OF_MEMORY;
}

async function judge(task: JudgeTask, serving: TaskServing): Promise<void> {
  if (task.forgetSchemas) schemas.clear();
  for (const [key, schema] of Object.entries(task.schemas)) schemas.set(key, schema);
  for (const id of new Set(task.groups.flatMap((group) => group.metrics))) await loadMetric(id);
  if (lastPath !== task.path) facts.clear();
  lastPath = task.path;
  const batch = new SqlBatch(task, {
    progress: serving.progress,
    metrics,
    schemas,
    factsOf,
    outOfMemory: () => process.exit(OUT_OF_MEMORY_STATUS),
  });
  try {
    let finished: JudgedGroup[] = [];
    let sentAt = performance.now();
    for (const group of task.groups) {
      finished.push(batch.judge(group));
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

function factsOf(path: string): FileFacts {
  let known = facts.get(path);
  if (known === undefined) {
    known = new FileFacts();
    facts.set(path, known);
  }
  return known;
}

async function loadMetric(id: string): Promise<void> {
  if (metrics.has(id)) return;
  const plug = await plugs.find("metric", id);
  if (plug.kind !== "metric") {
    throw new GradusError("PLUG_MALFORMED", `"${id}" is a label, expected a metric`);
  }
  metrics.set(id, plug);
}
