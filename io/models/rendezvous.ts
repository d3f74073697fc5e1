import { createHash } from "node:crypto";
import type { ModelRequest } from "../../core/model.ts";

/**
 * A digest of what opens the episode of a request: its messages before the first reply. All turns of an episode
 * have the same one, and so have all samples of a question that are asked in the same way.
 */
export function openingDigest({ messages }: Pick<ModelRequest, "messages">): string {
  const firstReply = messages.findIndex(({ role }) => role === "assistant");
  const opening = firstReply === -1 ? messages : messages.slice(0, firstReply);
  const hash = createHash("sha256");
  for (const { role, content } of opening) hash.update(JSON.stringify([role, content]));
  return hash.digest("hex");
}

/**
 * Positions of `names` in the order that `key` prefers them: each name is ranked by a hash of key and name
 * (rendezvous hashing), so that a name that comes or goes moves only the keys that it was first for.
 */
export function rendezvousOrder(key: string, names: readonly string[]): readonly number[] {
  const ranked = names.map((name, place) => ({
    place,
    rank: createHash("sha256")
      .update(JSON.stringify([key, name]))
      .digest("hex"),
  }));
  return ranked.sort((left, right) => (left.rank > right.rank ? -1 : 1)).map(({ place }) => place);
}

/** What one of several servers has to do, and its places. */
export interface Load {
  /** Requests that are open or wait. */
  readonly load: number;
  /** Requests that may be open. */
  readonly limit: number;
}

/** How far above the mean a server's load may go before another takes what prefers it. */
const BOUND = 1.25;

/** Requests that are never too many: the samples of one question stay together while there is little to do. */
const FEW = 8;

/**
 * Rendezvous hashing with bounded loads: the first of `loads`, which come in the order of preference, that has a
 * place and, from 8 requests on, less than 1.25 times the mean load. Where none has, requests must wait, and it
 * is the first that has less than 1.25 times its share of the load by places. `undefined` of none.
 */
export function boundedChoice<T extends Load>(loads: readonly T[]): T | undefined {
  if (loads.length < 2) return loads[0];
  const next = loads.reduce((sum, { load }) => sum + load, 1);
  const places = loads.reduce((sum, { limit }) => sum + limit, 0);
  const fairLoad = Math.max(FEW, Math.ceil((BOUND * next) / loads.length));
  return (
    loads.find(({ load, limit }) => load < Math.min(limit, fairLoad)) ??
    loads.find(({ load, limit }) => load < Math.ceil((BOUND * next * limit) / places)) ??
    loads[0]
  );
}
