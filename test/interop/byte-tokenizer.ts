import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";

/** The characters that byte-level tokenizers write bytes as. */
function byteCharacters(): string[] {
  const shown = (byte: number): boolean =>
    (byte >= 33 && byte <= 126) || (byte >= 161 && byte <= 172) || (byte >= 174 && byte <= 255);
  let next = 256;
  return Array.from({ length: 256 }, (_, byte) => String.fromCodePoint(shown(byte) ? byte : (next += 1) - 1));
}

/** ChatML with tools beside the messages, which keeps what earlier replies thought. */
export const CHATML = `{%- if tools %}<|im_start|>system
Tools:
{%- for tool in tools %}
{{ tool | tojson }}
{%- endfor %}<|im_end|>
{% endif %}
{%- for message in messages %}<|im_start|>{{ message.role }}
{% if message.reasoning_content %}<think>
{{ message.reasoning_content }}
</think>

{% endif %}{{ message.content }}
{%- if message.tool_calls %}
{%- for call in message.tool_calls %}{{ "\\n" }}<tool_call>
{"name": "{{ call.function.name }}", "arguments": {{ call.function.arguments | tojson }}}
</tool_call>
{%- endfor %}
{%- endif %}<|im_end|>
{% endfor %}
{%- if add_generation_prompt %}<|im_start|>assistant
{% endif %}`;

/** Writes a tokenizer of single bytes with ChatML's marks into `folder`; the token of a byte is the byte. */
export function writeByteTokenizer(folder: string, marks = ["<|im_start|>", "<|im_end|>"]) {
  mkdirSync(folder, { recursive: true });
  const vocab = Object.fromEntries(byteCharacters().map((character, byte) => [character, byte]));
  const added_tokens = marks.map((content, place) => ({
    id: 256 + place,
    content,
    single_word: false,
    lstrip: false,
    rstrip: false,
    normalized: false,
    special: true,
  }));
  const byteLevel = { type: "ByteLevel", add_prefix_space: false, trim_offsets: false, use_regex: false };
  const tokenizer = {
    version: "1.0",
    truncation: null,
    padding: null,
    added_tokens,
    normalizer: null,
    pre_tokenizer: byteLevel,
    post_processor: null,
    decoder: byteLevel,
    model: {
      type: "BPE",
      dropout: null,
      unk_token: null,
      continuing_subword_prefix: null,
      end_of_word_suffix: null,
      fuse_unk: false,
      byte_fallback: false,
      vocab,
      merges: [],
    },
  };
  const files = {
    tokenizer: path.join(folder, "tokenizer.json"),
    template: path.join(folder, "chatml.jinja"),
  };
  writeFileSync(files.tokenizer, JSON.stringify(tokenizer));
  writeFileSync(files.template, CHATML);
  return files;
}
