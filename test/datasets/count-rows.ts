import path from "node:path";
import { createPlugFinder } from "../../pipelines/plugs.ts";

const plugs = createPlugFinder();

/** What a loader finds below a folder of the shared data. */
export async function countRows(folder: string, id: string, split: string, release: string | null = null) {
  const loader = await plugs.find("loader", id);
  const source = { root: path.resolve(folder), split, release };
  const databases = new Set<string>();
  const dialogues = new Set<string>();
  const ids = new Set<string>();
  let examples = 0;
  let rejects = 0;
  let named = "";
  for await (const row of loader.load(source)) {
    if (row.kind === "reject") {
      rejects += 1;
      continue;
    }
    examples += 1;
    ids.add(row.example.id);
    databases.add(row.example.databaseId);
    if (row.example.dialogue !== null) dialogues.add(row.example.dialogue.id);
    named = row.example.dataset.release;
  }
  const schemas = (await loader.schemas(source)).length;
  const found = { examples, ids: ids.size, rejects, databases: databases.size, schemas, release: named };
  return dialogues.size === 0 ? found : { ...found, dialogues: dialogues.size };
}
