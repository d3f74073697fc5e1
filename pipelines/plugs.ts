import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { GradusError, nearMiss } from "../core/errors.ts";
import type { PlugFinder, PlugKind, PlugKinds } from "../core/plug.ts";
import { listFolder } from "../io/files.ts";

/** Where the plugs of each kind lie, below the package's code. */
export const PLUG_FOLDERS: Readonly<Record<PlugKind, string>> = {
  loader: "datasets/loaders",
  "schema-dialect": "datasets/schema-dialects",
  "prediction-format": "synth/prediction-formats",
  tool: "synth/tools",
  scaffold: "synth/scaffolds",
  metric: "curation/metrics",
  curriculum: "curation/curricula",
  exporter: "curation/exporters",
  reward: "curation/rewards",
  embedder: "embeddings/embedders",
  check: "curation/checks",
};

const CODE_FOLDER = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const EXTENSION = path.extname(fileURLToPath(import.meta.url));
const KINDS: Readonly<Record<PlugKind, readonly string[]>> = {
  loader: ["loader"],
  "schema-dialect": ["schema-dialect"],
  "prediction-format": ["prediction-format"],
  tool: ["tool"],
  scaffold: ["scaffold"],
  metric: ["metric", "label"],
  curriculum: ["curriculum"],
  exporter: ["exporter"],
  reward: ["reward"],
  embedder: ["embedder"],
  check: ["check"],
};

/**
 * Finds plugs by reading their folders: the file's stem is the id.
 * `find` throws PLUG_UNKNOWN for an id without a file, PLUG_MALFORMED for a file whose default export is
 * not a plug of that kind and id.
 */
export function createPlugFinder(): PlugFinder {
  const loaded = new Map<string, Promise<PlugKinds[PlugKind]>>();
  return {
    list,
    find: <K extends PlugKind>(kind: K, id: string) => {
      const name = `${kind}/${id}`;
      let plug = loaded.get(name);
      if (plug === undefined) {
        plug = load(kind, id);
        loaded.set(name, plug);
      }
      return plug as Promise<PlugKinds[K]>;
    },
  };
}

async function list(kind: PlugKind): Promise<readonly string[]> {
  const names = await listFolder(path.join(CODE_FOLDER, PLUG_FOLDERS[kind]));
  return names
    .filter((name) => name.endsWith(EXTENSION) && !name.endsWith(".d.ts"))
    .map((name) => path.parse(name).name);
}

async function load(kind: PlugKind, id: string): Promise<PlugKinds[PlugKind]> {
  const known = await list(kind);
  if (!known.includes(id)) {
    const near = nearMiss(id, known);
    throw new GradusError(
      "PLUG_UNKNOWN",
      `there is no ${kind} "${id}", expected one of: ${known.join(", ")}`,
      {
        hint: near === undefined ? `choose one of the ${kind}s above` : `did you mean "${near}"?`,
      },
    );
  }
  const file = path.join(CODE_FOLDER, PLUG_FOLDERS[kind], `${id}${EXTENSION}`);
  const module = (await import(pathToFileURL(file).href)) as { default?: Partial<PlugKinds[PlugKind]> };
  const plug = module.default;
  if (plug?.id !== id || plug.kind === undefined || !KINDS[kind].includes(plug.kind)) {
    throw new GradusError(
      "PLUG_MALFORMED",
      `${PLUG_FOLDERS[kind]}/${id}: the default export is ${plug?.kind ?? "nothing"} "${plug?.id ?? ""}", expected a ${kind} "${id}"`,
      { hint: "the file's stem must be the plug's id" },
    );
  }
  return plug as PlugKinds[PlugKind];
}
