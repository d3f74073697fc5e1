import { remove } from "../io/files.ts";
import { profileDatabase } from "../io/profile-database.ts";
import { SearchIndex } from "../io/search-index.ts";
import type { TaskServing } from "../io/worker-server.ts";
import type { ProfileTask, SearchTask, SqlPart } from "./sql-protocol.ts";

/** Indices that a worker keeps open. */
const OPEN_INDICES = 16;

const open = new Map<string, SearchIndex>();

/** Profiles a database in this process, with its rows as progress; what a killed process began is removed first. */
export async function runProfileTask(task: ProfileTask, serving: TaskServing): Promise<void> {
  let steps = 0;
  await remove(task.indexFile);
  const profile = await profileDatabase(task, {
    onStep: () => {
      steps += 1;
      serving.progress.mark(steps, "statement");
    },
    onProgress: (done, total) => serving.send({ kind: "profiling", done, total } satisfies SqlPart),
  });
  serving.progress.turn("idle");
  await serving.send({ kind: "profiled", profile } satisfies SqlPart);
}

/** Searches an index in this process, which keeps it open. Throws SEARCH_INDEX_DAMAGED. */
export async function runSearchTask({ indexFile, request }: SearchTask, serving: TaskServing): Promise<void> {
  serving.progress.mark(0, "statement");
  try {
    const reply = opened(indexFile).search(request);
    serving.progress.turn("idle");
    await serving.send({ kind: "searched", reply } satisfies SqlPart);
  } catch (thrown) {
    closeIndex(indexFile);
    throw thrown;
  }
}

/** The index, opened if it is not; closes the one that was opened longest ago when there are many. */
function opened(file: string): SearchIndex {
  const known = open.get(file);
  if (known !== undefined) return known;
  const [oldest] = open.keys();
  if (oldest !== undefined && open.size >= OPEN_INDICES) closeIndex(oldest);
  const index = new SearchIndex(file);
  open.set(file, index);
  return index;
}

function closeIndex(file: string): void {
  open.get(file)?.close();
  open.delete(file);
}
