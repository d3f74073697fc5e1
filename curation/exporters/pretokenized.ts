import { z } from "zod";
import {
  defineExporterWithOptions,
  type ExportRow,
  type ShardCells,
  type ShardForm,
} from "../../core/shard.ts";
import type { Message } from "../../core/trajectory.ts";
import { ChatTokenizer } from "../chat-tokenizer.ts";
import {
  chatMessage,
  checkOrder,
  conversation,
  functionTool,
  isLearned,
  nativeCalls,
  ORIGIN_COLUMNS,
  originCells,
  trajectoryOf,
  unsupportedRow,
} from "../exported-messages.ts";

const PLUG = "pretokenized";

const Options = z.strictObject({
  /** `tokenizer.json` of the model. */
  tokenizer: z.string().min(1),
  /** `tokenizer_config.json` of the model. */
  config: z.string().min(1).nullable().default(null),
  /** A chat template in Jinja; `null` for that of `config`. */
  template: z.string().min(1).nullable().default(null),
  /** Where thoughts between `<think>` tags go; `auto`: in a field where calls are native, in the text elsewhere. */
  thoughts: z.enum(["auto", "text", "field"]).default("auto"),
  /** `each`: one row for each trained turn, for templates that rewrite earlier turns. */
  turns: z.enum(["all", "each"]).default("all"),
  /** Longer rows are refused; `null` for no bound. */
  maxTokens: z.int().positive().nullable().default(null),
});
type Options = z.infer<typeof Options>;

/**
 * Trajectories as token ids with a mask: 1 on what the model sampled and should learn, its end mark included. Prompts
 * and replies are tokenised apart, as they were when the model answered. The template must write a reply as it was
 * sampled and may only add to what stands before it; a row for which it does otherwise is refused.
 */
export default defineExporterWithOptions({
  id: PLUG,
  version: 1,
  format: "parquet",
  set: "sft",
  options: Options,
  files: ({ tokenizer, config, template }) => [tokenizer, config, template].filter((file) => file !== null),
  async open(options): Promise<ShardForm> {
    const tokenizer = await ChatTokenizer.open(options);
    return {
      columns: [
        { name: "input_ids", type: { list: "int64" } },
        { name: "loss_mask", type: { list: "int64" } },
        ...ORIGIN_COLUMNS,
      ],
      lossy: [
        "Texts are there as token ids of one tokenizer alone: `recipe.lock.yaml` has its digest.",
        "A weight between 0 and 1 is refused; messages that are not to be learned have mask 0.",
        "Where a reply came without token ids, its ids are the tokenizer's own, which the model may have sampled otherwise.",
      ],
      usage: [
        "SkyRL's pretokenized store reads `input_ids` and `loss_mask` as they are. For TRL rename `loss_mask` to",
        "`assistant_masks`. Rows are not padded, and nothing is cut.",
      ].join("\n"),
      rows: (row) => rowsOf(row, options, tokenizer),
    };
  },
});

/** A piece of text, and whether it is learned. */
interface Piece {
  readonly text: string;
  readonly isLearned: boolean;
}

function rowsOf(row: ExportRow, options: Options, tokenizer: ChatTokenizer): ShardCells[] {
  const trajectory = trajectoryOf(row, PLUG);
  const messages = conversation(row, trajectory);
  checkOrder(messages, PLUG, trajectory.id);
  const learned = messages.flatMap((message, place) => (isLearned(message) ? [place] : []));
  for (const place of learned) {
    const { weight, trainReason } = messages[place] as Message;
    if (weight !== 1)
      refuse(row, `its message ${place} has weight ${weight} (${trainReason}), expected 0 or 1`);
  }
  const chat = new RenderedChat(row, messages, { options, tokenizer });
  const sets = options.turns === "all" ? [learned] : learned.map((place) => [place]);
  return sets
    .filter((places) => places.length > 0)
    .map((places) => {
      const cells = tokensOf(chat.pieces(places), tokenizer, row);
      if (options.maxTokens !== null && cells.input_ids.length > options.maxTokens) {
        refuse(row, `it has ${cells.input_ids.length} tokens, expected at most ${options.maxTokens}`);
      }
      return { ...cells, ...originCells(row, trajectory) };
    });
}

/** A conversation under a template, cut into what is learned and what is not. */
class RenderedChat {
  readonly #row: ExportRow;
  readonly #written: ReturnType<typeof chatMessage>[];
  readonly #tokenizer: ChatTokenizer;

  constructor(
    row: ExportRow,
    messages: readonly Message[],
    { options, tokenizer }: { readonly options: Options; readonly tokenizer: ChatTokenizer },
  ) {
    this.#row = row;
    this.#tokenizer = tokenizer;
    const rowId = row.trajectory?.id ?? "";
    this.#written = messages.map((message) => {
      const isNative = row.tools.length > 0 || nativeCalls(message).length > 0;
      const thoughts = options.thoughts === "auto" ? (isNative ? "field" : "text") : options.thoughts;
      return chatMessage(message, { plug: PLUG, rowId, thoughts, thoughtField: "reasoning_content" });
    });
  }

  /** The text up to the last of the learned messages, in pieces. */
  pieces(learned: readonly number[]): Piece[] {
    const last = learned.at(-1) ?? 0;
    const whole = this.#render(last + 1, false);
    const pieces: Piece[] = [];
    let end = 0;
    for (const place of learned) {
      const asked = this.#render(place, true);
      const said = this.#render(place + 1, false);
      if (!whole.startsWith(asked) || !whole.startsWith(said.trimEnd()) || said.length < asked.length) {
        refuse(
          this.#row,
          `the chat template writes what stands before message ${place} otherwise once more follows, expected it to add alone: set turns to each`,
        );
      }
      const reply = said.slice(asked.length).trimEnd();
      this.#checkReply(place, reply);
      pieces.push(
        { text: whole.slice(end, asked.length), isLearned: false },
        { text: reply, isLearned: true },
      );
      end = asked.length + reply.length;
    }
    return [...pieces, { text: whole.slice(end), isLearned: false }];
  }

  #render(count: number, asks: boolean): string {
    const tools = this.#row.tools.map(functionTool);
    try {
      return this.#tokenizer.render({ messages: this.#written.slice(0, count), tools, asks });
    } catch (thrown) {
      const reason = thrown instanceof Error ? thrown.message : String(thrown);
      return refuse(this.#row, `the chat template refuses its first ${count} messages: ${reason}`);
    }
  }

  /** What was sampled must stand there; native calls, and the marks around thoughts in a field, are the template's to write. */
  #checkReply(place: number, reply: string): void {
    const { content, reasoning_content: thought } = this.#written[place] ?? {};
    const parts = [content, thought].filter((part): part is string => typeof part === "string");
    if (parts.every((part) => reply.includes(part.trim()))) return;
    refuse(this.#row, `the chat template writes its message ${place} otherwise than it was sampled`);
  }
}

function tokensOf(pieces: readonly Piece[], tokenizer: ChatTokenizer, row: ExportRow) {
  const input_ids: number[] = [];
  const loss_mask: number[] = [];
  for (const { text, isLearned: learns } of pieces) {
    const ids = tokenizer.encode(text);
    if (tokenizer.decode(ids) !== text) {
      refuse(row, "the tokenizer does not give its text back: it is another model's, or it normalises text");
    }
    for (const id of ids) {
      input_ids.push(id);
      loss_mask.push(learns ? 1 : 0);
    }
  }
  return { input_ids, loss_mask };
}

function refuse(row: ExportRow, problem: string): never {
  throw unsupportedRow(PLUG, row.trajectory?.id ?? row.example.id, problem);
}
