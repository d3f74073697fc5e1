import path from "node:path";
import { z } from "zod";
import { type ArtifactFile, Manifest, type PortSummary, type StageKeyParts } from "../core/artifact.ts";
import { GradusError } from "../core/errors.ts";
import { canonicalJson, deepFreeze, keyOf } from "../core/key.ts";
import { digestFile, exists, kindOf, listFolder, makeFolder, readText, remove, writeWhole } from "./files.ts";
import { readJsonLines, RowWriter } from "./jsonl.ts";

/** A finished artifact: its manifest, and where its rows and files lie. */
export interface Artifact {
  readonly manifest: Manifest;
  readonly folder: string;
}

/** An artifact being made. Nothing of it counts until `seal`. */
export interface UnfinishedArtifact {
  /** For the files of the stage. */
  readonly filesFolder: string;
  add(port: string, row: unknown, group: string | undefined): Promise<void>;
  /** Flushes, digests the files, and writes the manifest last, by rename. */
  seal(): Promise<Artifact>;
  /** Closes what is open and removes everything. */
  abandon(): Promise<void>;
}

/**
 * Artifacts by step and key: `<root>/<step>/<key>/` with `<port>.jsonl`, `files/` and `manifest.json`.
 * A folder without a manifest is unfinished and is made anew.
 */
export class ArtifactStore {
  readonly #root: string;

  constructor(root: string) {
    this.#root = root;
  }

  /** Where an artifact lies or will lie. */
  folderOf(step: string, key: string): string {
    return path.join(this.#root, step, key);
  }

  /**
   * The finished artifact of a step under a key, if there is one.
   * @throws ARTIFACT_DAMAGED for a manifest that does not read, or that names another key.
   */
  async find(step: string, key: string): Promise<Artifact | undefined> {
    const folder = this.folderOf(step, key);
    const file = path.join(folder, "manifest.json");
    if ((await kindOf(file)) !== "file") return undefined;
    const parsed = Manifest.safeParse(parseJson(await readText(file)));
    if (!parsed.success || parsed.data.key !== key) {
      throw new GradusError(
        "ARTIFACT_DAMAGED",
        `cannot use ${file}: it is not the manifest of this artifact`,
        {
          hint: `remove the folder ${folder} and run again: the step will be made anew`,
        },
      );
    }
    return { manifest: deepFreeze(parsed.data), folder };
  }

  /** Starts an artifact, removing what an interrupted run left of it. */
  async begin(step: string, parts: StageKeyParts, ports: readonly string[]): Promise<UnfinishedArtifact> {
    const key = keyOf(parts);
    const folder = this.folderOf(step, key);
    await remove(folder);
    const filesFolder = path.join(folder, "files");
    await makeFolder(filesFolder);
    const writers = new Map<string, RowWriter>();
    for (const port of ports) writers.set(port, await RowWriter.open(path.join(folder, `${port}.jsonl`)));
    const groups = new Map(ports.map((port) => [port, new Map<string, number>()]));
    return {
      filesFolder,
      add: async (port, row, group) => {
        const writer = writers.get(port);
        if (writer === undefined) throw unknownPort(step, port, ports);
        await writer.add(row);
        const counts = groups.get(port);
        if (group !== undefined && counts !== undefined) counts.set(group, (counts.get(group) ?? 0) + 1);
      },
      seal: async () => {
        const outputs: Record<string, PortSummary> = {};
        for (const [port, writer] of writers) {
          const counts = [...(groups.get(port) ?? [])].sort(([left], [right]) => (left < right ? -1 : 1));
          outputs[port] = { ...(await writer.finish()), groups: Object.fromEntries(counts) };
        }
        const manifest: Manifest = { gradus: 1, ...parts, key, outputs, files: await listFiles(filesFolder) };
        await writeWhole(path.join(folder, "manifest.json"), `${canonicalJson(manifest)}\n`);
        return { manifest: deepFreeze(manifest), folder };
      },
      abandon: async () => {
        for (const writer of writers.values()) await writer.abandon();
        await remove(folder);
      },
    };
  }

  /**
   * The rows of a port, frozen, as the schema reads them.
   * @throws ARTIFACT_DAMAGED when the file is gone, for a row that is not JSON or that the schema refuses, and
   * for a number of rows other than the manifest's.
   */
  async *rows<S extends z.ZodType>(artifact: Artifact, port: string, schema: S): AsyncGenerator<z.infer<S>> {
    const file = path.join(artifact.folder, `${port}.jsonl`);
    let count = 0;
    for await (const { value, line } of artifactLines(artifact, file)) {
      const parsed = schema.safeParse(value);
      if (!parsed.success) throw damaged(artifact, file, z.prettifyError(parsed.error), { line });
      count += 1;
      yield deepFreeze(parsed.data);
    }
    const expected = artifact.manifest.outputs[port]?.rows;
    if (count !== expected) throw damaged(artifact, file, `got ${count} rows, expected ${expected}`);
  }
}

/** The lines of a port's file; what cannot be read is damage. */
async function* artifactLines(artifact: Artifact, file: string): ReturnType<typeof readJsonLines> {
  try {
    yield* readJsonLines(file);
  } catch (thrown) {
    if (!(thrown instanceof GradusError)) throw thrown;
    if (thrown.code === "FILE_MISSING") throw damaged(artifact, file, "it is gone", { cause: thrown });
    if (thrown.code !== "JSONL_MALFORMED") throw thrown;
    const { line } = thrown.site;
    throw damaged(artifact, file, `line ${line} is not JSON`, {
      cause: thrown,
      ...(line === undefined ? {} : { line }),
    });
  }
}

function damaged(
  artifact: Artifact,
  file: string,
  what: string,
  at: { readonly line?: number; readonly cause?: unknown } = {},
): GradusError {
  return new GradusError("ARTIFACT_DAMAGED", `cannot use ${file}: ${what}`, {
    site: at.line === undefined ? { file } : { file, line: at.line },
    hint: `remove the folder ${artifact.folder} and run again`,
    cause: at.cause,
  });
}

function unknownPort(step: string, port: string, ports: readonly string[]): GradusError {
  return new GradusError(
    "STAGE_PORT_UNKNOWN",
    `step ${step} wrote to port ${port}, expected one of ${ports.join(", ")}`,
  );
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The files below a folder with sizes and digests, sorted by path. */
async function listFiles(folder: string): Promise<ArtifactFile[]> {
  const found: ArtifactFile[] = [];
  const visit = async (relative: string): Promise<void> => {
    for (const name of await listFolder(path.join(folder, relative))) {
      const child = relative === "" ? name : `${relative}/${name}`;
      const target = path.join(folder, child);
      if ((await kindOf(target)) === "folder") await visit(child);
      else found.push({ path: child, ...(await digestFile(target)) });
    }
  };
  if (await exists(folder)) await visit("");
  return found;
}
