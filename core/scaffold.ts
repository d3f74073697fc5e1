import type { z } from "zod";
import type { Database } from "./database.ts";
import type { Example } from "./example.ts";
import type { Json } from "./key.ts";
import type { ModelReply } from "./model.ts";
import type { ShownTurn, ToolResult } from "./tool.ts";
import type { LinkedTable, Message, StopReason, Trajectory } from "./trajectory.ts";

/** What an episode starts from. */
export interface Opening {
  readonly example: Example;
  readonly database: Database;
  /** The schema as the run's dialect writes it. */
  readonly schemaText: string;
  /** Earlier turns as they are shown: with SQL only where the scaffold's history policy says so. */
  readonly history: readonly ShownTurn[];
  /** What a linker found, to which `schemaText` is reduced; `null` where the whole schema is shown. */
  readonly links: readonly LinkedTable[] | null;
}

/** A tool call that a reply asks for. `problem`: why it cannot be made (unknown tool, half JSON); the agent is told. */
export interface Action {
  readonly callId: string;
  readonly toolId: string;
  readonly arguments: Readonly<Record<string, Json>>;
  readonly problem: string | null;
}

/** What a scaffold makes of a reply. */
export type Reaction =
  | { readonly kind: "act"; readonly actions: readonly Action[] }
  | { readonly kind: "answer"; readonly sql: string }
  /** A schema linker's answer. */
  | { readonly kind: "links"; readonly links: readonly LinkedTable[] }
  /** The reply breaks the protocol; these messages are injected and the episode goes on. */
  | { readonly kind: "remind"; readonly messages: readonly Message[] }
  | {
      readonly kind: "stop";
      readonly reason: StopReason;
      /** What the reason leaves open, in snake_case. */
      readonly detail?: string;
      /** Whether earlier replies are taken out of training. */
      readonly masksEarlier?: boolean;
    };

/** Where an episode stands when a reply arrives. */
export interface EpisodeState {
  /** 0-based. */
  readonly turn: number;
  readonly turnsLeft: number;
  readonly opening: Opening;
  /** Everything before the reply. */
  readonly messages: readonly Message[];
}

/** A scaffold whose episode comes before another's. */
export interface Prelude {
  readonly scaffold: string;
  readonly options: Readonly<Record<string, Json>>;
}

/**
 * The protocol of an agent as pure functions: what it is shown, what its replies mean, what it is told back.
 * A driver asks the model, runs the tools and keeps the ledger, so that sampling, serving and evaluation
 * are one protocol. `react` never throws for what a reply says.
 */
export interface Scaffold<Options extends z.ZodType = z.ZodType> {
  readonly kind: "scaffold";
  readonly id: string;
  readonly version: number;
  readonly options: Options;
  /** Whether gold is shown to the model (a privileged teacher). */
  readonly readsGold: boolean;
  /** Of one that reads gold: the scaffold whose opening, which does not show it, students learn its replies behind. */
  readonly student?: string;
  readonly pastThoughts: Trajectory["pastThoughts"];
  /** Which agent of a pair it is, where one links the schema for another. */
  readonly task?: "linker" | "generator";
  /** Tools with their options, by id; described to the server only where `nativeTools`. */
  tools(
    options: z.infer<Options>,
  ): readonly { readonly id: string; readonly options: Readonly<Record<string, Json>> }[];
  nativeTools(options: z.infer<Options>): boolean;
  /**
   * The scaffold whose episode comes first and links the schema, with its options: its answer reduces the
   * schema text of this one. Without links the whole schema is shown. `gold_links`: the gold's own links
   * take their place. Left out or `null` for none.
   */
  prelude?(options: z.infer<Options>): Prelude | "gold_links" | null;
  /** Strings at which the server should stop, kept in the reply. */
  stops(options: z.infer<Options>): readonly string[];
  /** Replies of the model that an episode may have, at least 1. */
  maxTurns(options: z.infer<Options>): number;
  /** The messages that open the episode, all `given`. */
  open(opening: Opening, options: z.infer<Options>): readonly Message[];
  /** A reply as the message that stays: `sampled`, with its thought and calls parsed. */
  read(reply: ModelReply, options: z.infer<Options>): Message;
  react(message: Message, state: EpisodeState, options: z.infer<Options>): Reaction;
  /** Tool results as messages of the environment. */
  observe(
    results: readonly { readonly action: Action; readonly result: ToolResult }[],
    state: EpisodeState,
    options: z.infer<Options>,
  ): readonly Message[];
}

/** Types a scaffold plug; the file's stem is its id. */
export function defineScaffold<Options extends z.ZodType>(
  scaffold: Omit<Scaffold<Options>, "kind">,
): Scaffold {
  return { kind: "scaffold", ...scaffold } as unknown as Scaffold;
}
