import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { makeShards } from "./make-shards.ts";

const HERE = path.dirname(fileURLToPath(import.meta.url));
const CACHE = path.resolve(HERE, "../../.cache");
const INSTALL_TRIES = 3;

/** Runs a program with its output shown; true when it ended with 0. */
function succeeds(
  program: string,
  given: readonly string[],
  environment: Record<string, string> = {},
): boolean {
  const { status } = spawnSync(program, given, { stdio: "inherit", env: { ...process.env, ...environment } });
  return status === 0;
}

function findPython(): { program: string; version: string } {
  for (const program of [process.env["GRADUS_PYTHON"], "python3.11", "python3"]) {
    if (program === undefined) continue;
    const asked = spawnSync(program, ["-c", "import platform; print(platform.python_version())"]);
    const version = asked.status === 0 ? asked.stdout.toString().trim() : "";
    if (version.startsWith("3.11.")) return { program, version };
  }
  throw new Error("no Python 3.11 on the path: install it, or name it in GRADUS_PYTHON");
}

/** The Python of a virtual environment with exactly the locked packages; made once for a lock and a Python. */
function ensureEnvironment(): string {
  const { program, version } = findPython();
  const lock = path.join(HERE, "requirements.txt");
  const digest = createHash("sha256").update(readFileSync(lock)).update(version).digest("hex");
  const folder = path.join(CACHE, `interop-${digest}`);
  const python = path.join(folder, "bin", "python");
  const done = path.join(folder, "installed");
  if (existsSync(done)) return python;
  for (let attempt = 1; attempt <= INSTALL_TRIES; attempt += 1) {
    rmSync(folder, { recursive: true, force: true });
    const install = [
      "-m",
      "pip",
      "install",
      "--quiet",
      "--disable-pip-version-check",
      "--retries",
      "5",
      "-r",
      lock,
    ];
    if (succeeds(program, ["-m", "venv", folder]) && succeeds(python, install)) {
      writeFileSync(done, "");
      return python;
    }
    console.error(`interop: installation failed (try ${attempt} of ${INSTALL_TRIES})`);
  }
  throw new Error("the packages of test/interop/requirements.txt could not be installed");
}

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
  const made = await makeShards(path.join(CACHE, "interop-shards"));
  const all = [...made, ...given.flatMap((one) => one.folders)];
  const passed = succeeds(ensureEnvironment(), ["-m", "pytest", "-q", "-p", "no:cacheprovider", HERE], {
    GRADUS_SHARDS: JSON.stringify(all),
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
