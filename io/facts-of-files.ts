import { statSync } from "node:fs";
import { RecentMap } from "../core/recent-map.ts";
import { FileFacts } from "./file-facts.ts";

/** Files of which facts are kept. */
const CAPACITY = 256;

/** The facts of the files that a process reads, kept as long as a file's size and time of change stay the same. */
export class FactsOfFiles {
  readonly #known = new RecentMap<string, { readonly stamp: string; readonly facts: FileFacts }>(CAPACITY);

  /** What is known of the file at a path; nothing yet when it has changed, or cannot be looked at. */
  of(path: string): FileFacts {
    const stamp = stampOf(path);
    const known = this.#known.get(path);
    if (known !== undefined && known.stamp === stamp) return known.facts;
    const facts = new FileFacts();
    this.#known.set(path, { stamp, facts });
    return facts;
  }
}

function stampOf(path: string): string {
  const found = statSync(path, { bigint: true, throwIfNoEntry: false });
  return found === undefined ? "" : `${found.ino} ${found.size} ${found.mtimeNs}`;
}
