import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

const HERE = path.dirname(fileURLToPath(import.meta.url));
const LOCK = path.join(HERE, "requirements.txt");
/** Packages of which single files are read or run: installed without what they depend on. */
const DATA_LOCK = path.join(HERE, "requirements-data.txt");
const INSTALL_TRIES = 3;

/** Where the environment and what it reads are kept. */
export const INTEROP_CACHE = path.resolve(HERE, "../../.cache");

/** Runs a program with its output shown; true when it ended with 0. */
export function succeeds(
  program: string,
  given: readonly string[],
  environment: Record<string, string> = {},
): boolean {
  const { status } = spawnSync(program, given, { stdio: "inherit", env: { ...process.env, ...environment } });
  return status === 0;
}

/** The Python of the virtual environment, where it is installed; `undefined` where it is not. */
export function installedPython(): string | undefined {
  const system = findPython();
  if (system === undefined) return undefined;
  const folder = folderFor(system.version);
  return existsSync(path.join(folder, "installed")) ? path.join(folder, "bin", "python") : undefined;
}

/** The Python of a virtual environment with exactly the locked packages; made once for the locks and a Python. */
export function ensurePython(): string {
  const installed = installedPython();
  if (installed !== undefined) return installed;
  const system = findPython();
  if (system === undefined) {
    throw new Error("no Python 3.11 on the path: install it, or name it in GRADUS_PYTHON");
  }
  const folder = folderFor(system.version);
  const python = path.join(folder, "bin", "python");
  const pip = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--retries", "5"];
  const installs = (...given: readonly string[]): boolean => succeeds(python, [...pip, ...given]);
  for (let attempt = 1; attempt <= INSTALL_TRIES; attempt += 1) {
    rmSync(folder, { recursive: true, force: true });
    const isMade = succeeds(system.program, ["-m", "venv", folder]);
    if (isMade && installs("-r", LOCK) && installs("--no-deps", "-r", DATA_LOCK)) {
      writeFileSync(path.join(folder, "installed"), "");
      return python;
    }
    console.error(`interop: installation failed (try ${attempt} of ${INSTALL_TRIES})`);
  }
  throw new Error("the packages of test/interop/requirements*.txt could not be installed");
}

function findPython(): { readonly program: string; readonly version: string } | undefined {
  for (const program of [process.env["GRADUS_PYTHON"], "python3.11", "python3"]) {
    if (program === undefined) continue;
    const asked = spawnSync(program, ["-c", "import platform; print(platform.python_version())"]);
    const version = asked.status === 0 ? asked.stdout.toString().trim() : "";
    if (version.startsWith("3.11.")) return { program, version };
  }
  return undefined;
}

function folderFor(version: string): string {
  const digest = createHash("sha256").update(readFileSync(LOCK)).update(readFileSync(DATA_LOCK));
  return path.join(INTEROP_CACHE, `interop-${digest.update(version).digest("hex")}`);
}
