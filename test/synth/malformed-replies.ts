import type { ModelReply } from "../../core/model.ts";
import { DUALSQL_GENERATOR } from "./malformed-replies-generator.ts";
import { DUALSQL_LINKER } from "./malformed-replies-linker.ts";
import { DUALSQL_NATIVE } from "./malformed-replies-native.ts";
import { MTSQL } from "./malformed-replies-mtsql.ts";
import { RETOOL, RETOOL_NATIVE } from "./malformed-replies-retool.ts";
import { SQL_TRAIL } from "./malformed-replies-sql-trail.ts";

/** A reply as text, or with what else the server gave. */
export type GivenReply = string | Partial<ModelReply>;

/**
 * What comes of a reply, in words: `act TOOL ARGUMENTS`, `error VIOLATION` for a call that becomes a tool
 * error, both joined by ` + ` where there are several calls; `answer SQL`; `links JSON`; `told REASON` for a
 * message to the agent, who goes on; `stop VIOLATION`.
 */
export type Outcome = string;

/** A reply with what comes of it in training and in test mode. The expected outcomes are written by hand. */
export type MalformedReply = readonly [what: string, reply: GivenReply, training: Outcome, test: Outcome];

/** Malformed replies to one scaffold under one set of options. */
export interface MalformedReplies {
  readonly scaffold: string;
  readonly options: Readonly<Record<string, string>>;
  /** Replies that came before, each answered by its tool with `1`. */
  readonly earlier: readonly string[];
  /** A reply that ends the episode. */
  readonly ending: string;
  readonly replies: readonly MalformedReply[];
}

/** The corpus. Scaffolds without a training mode have the same outcome in both. */
export const MALFORMED_REPLIES: readonly MalformedReplies[] = [
  SQL_TRAIL,
  DUALSQL_GENERATOR,
  DUALSQL_LINKER,
  DUALSQL_NATIVE,
  RETOOL,
  RETOOL_NATIVE,
  MTSQL,
];
