import { Tokenizer } from "@huggingface/tokenizers";
import { Template } from "@huggingface/jinja";
import { GradusError, messageOf } from "../core/errors.ts";
import type { Json } from "../core/key.ts";
import { readText } from "../io/files.ts";

/** Files of a tokenizer. */
export interface TokenizerFiles {
  /** `tokenizer.json`. */
  readonly tokenizer: string;
  /** `tokenizer_config.json`: special tokens, and the chat template where no other is given. */
  readonly config: string | null;
  /** A chat template in Jinja. */
  readonly template: string | null;
}

/** What a template is rendered with. */
export interface ChatRequest {
  readonly messages: readonly Json[];
  readonly tools: readonly Json[];
  /** Whether the text ends where the next reply begins. */
  readonly asks: boolean;
}

/**
 * A model's tokenizer with its chat template.
 * @throws TOKENIZER_UNREADABLE for files that do not read, TOKENIZER_MISMATCH for a template with special tokens that
 * the tokenizer does not have: another model's.
 */
export class ChatTokenizer {
  readonly #tokenizer: Tokenizer;
  readonly #template: Template;
  readonly #special: Readonly<Record<string, string>>;

  private constructor(tokenizer: Tokenizer, template: Template, special: Readonly<Record<string, string>>) {
    this.#tokenizer = tokenizer;
    this.#template = template;
    this.#special = special;
  }

  static async open(files: TokenizerFiles): Promise<ChatTokenizer> {
    const source = await readJson(files.tokenizer);
    const config = files.config === null ? {} : await readJson(files.config);
    const text = files.template === null ? config["chat_template"] : await readText(files.template);
    if (typeof text !== "string") throw noTemplate(files);
    try {
      const tokenizer = new Tokenizer(source, config);
      const template = new Template(text.replaceAll(GENERATION, ""));
      checkMarks(text, tokenizer, files);
      return new ChatTokenizer(tokenizer, template, specialTokens(config));
    } catch (thrown) {
      if (thrown instanceof GradusError) throw thrown;
      throw new GradusError("TOKENIZER_UNREADABLE", `cannot use ${files.tokenizer}: ${messageOf(thrown)}`, {
        site: { file: files.tokenizer },
        hint: "expected the tokenizer.json of a fast tokenizer and a chat template in Jinja",
        cause: thrown,
      });
    }
  }

  /** The text that a model sees. Throws what the template raises. */
  render({ messages, tools, asks }: ChatRequest): string {
    return this.#template.render({
      messages: structuredClone(messages) as unknown[],
      tools: tools.length === 0 ? null : structuredClone(tools),
      documents: null,
      add_generation_prompt: asks,
      ...this.#special,
    });
  }

  /** Token ids of a text as it stands: nothing is added. */
  encode(text: string): number[] {
    return text === "" ? [] : this.#tokenizer.encode(text, { add_special_tokens: false }).ids;
  }

  /** The text of token ids, special tokens too. */
  decode(ids: readonly number[]): string {
    return ids.length === 0
      ? ""
      : this.#tokenizer.decode([...ids], { skip_special_tokens: false, clean_up_tokenization_spaces: false });
  }
}

/** Marks around replies, which mean nothing to the text. */
const GENERATION = /\{%-?\s*(?:end)?generation\s*-?%\}/g;
const MARK = /<\|[a-z_]+\|>/gi;

async function readJson(file: string): Promise<Record<string, unknown>> {
  const text = await readText(file);
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch (thrown) {
    throw new GradusError("TOKENIZER_UNREADABLE", `cannot read ${file}: ${messageOf(thrown)}`, {
      site: { file },
      hint: "expected JSON",
      cause: thrown,
    });
  }
}

function specialTokens(config: Record<string, unknown>): Record<string, string> {
  const tokens: Record<string, string> = {};
  for (const name of ["bos_token", "eos_token", "pad_token", "unk_token"]) {
    const value = config[name];
    const text =
      typeof value === "object" && value !== null ? (value as Record<string, unknown>)["content"] : value;
    if (typeof text === "string") tokens[name] = text;
  }
  return tokens;
}

function checkMarks(template: string, tokenizer: Tokenizer, files: TokenizerFiles): void {
  for (const mark of new Set(template.match(MARK) ?? [])) {
    if (tokenizer.token_to_id(mark) !== undefined) continue;
    throw new GradusError(
      "TOKENIZER_MISMATCH",
      `the chat template writes ${mark}, which ${files.tokenizer} has no token for`,
      { site: { file: files.tokenizer }, hint: "take tokenizer and template from one model" },
    );
  }
}

function noTemplate(files: TokenizerFiles): GradusError {
  return new GradusError("TOKENIZER_UNREADABLE", `there is no chat template for ${files.tokenizer}`, {
    site: { file: files.tokenizer },
    hint: "name a file in `template`, or a tokenizer_config.json with a chat_template in `config`",
  });
}
