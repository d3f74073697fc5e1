import { existsSync, readdirSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { ensurePython, INTEROP_CACHE, succeeds } from "./environment.ts";
import { makeEpisodes } from "./make-episodes.ts";
import { makeShards } from "./make-shards.ts";

const HERE = path.dirname(fileURLToPath(import.meta.url));

/** The shard folders at or below a path: those with a dataset card and a list of checksums. */
function shardFolders(root: string): string[] {
  if (!existsSync(root)) throw new Error(`there is no shard folder ${root}`);
  if (existsSync(path.join(root, "checksums.sha256"))) return [path.resolve(root)];
  return readdirSync(root, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .flatMap((entry) => shardFolders(path.join(root, entry.name)))
    .sort();
}

async function main(roots: readonly string[]): Promise<void> {
  const given = roots.map((root) => ({ root, folders: shardFolders(root) }));
  for (const { root, folders } of given) {
    if (folders.length === 0)
      throw new Error(`no shards at ${root}: expected a folder with checksums.sha256`);
  }
  const made = await makeShards(path.join(INTEROP_CACHE, "interop-shards"));
  const episodes = await makeEpisodes(path.join(INTEROP_CACHE, "interop-episodes"));
  const all = [...made, ...given.flatMap((one) => one.folders)];
  const passed = succeeds(ensurePython(), ["-m", "pytest", "-q", "-p", "no:cacheprovider", HERE], {
    GRADUS_SHARDS: JSON.stringify(all),
    GRADUS_EPISODES: episodes,
    HF_HUB_OFFLINE: "1",
    HF_DATASETS_OFFLINE: "1",
    HF_DATASETS_DISABLE_PROGRESS_BARS: "1",
    PYTHONDONTWRITEBYTECODE: "1",
  });
  console.log(`interop: ${passed ? "passed" : "FAILED"} on ${all.length} shard folders`);
  process.exitCode = passed ? 0 : 1;
}

try {
  await main(process.argv.slice(2));
} catch (thrown) {
  console.error(`interop: FAILED: ${thrown instanceof Error ? thrown.message : String(thrown)}`);
  process.exitCode = 1;
}
