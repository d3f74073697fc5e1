import { writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import pretokenized from "../../../curation/exporters/pretokenized.ts";
import { writeByteTokenizer } from "../../interop/byte-tokenizer.ts";
import { exportRow, message, openForm, SQL_TOOL, sqlCall, trajectory } from "../../interop/fixture-rows.ts";
import { temporaryFolder } from "../../temporary-folder.ts";

const files = writeByteTokenizer(await temporaryFolder());

/** The text of a row's tokens by their mask; the fixture's tokens are bytes and two marks. */
function pieces(row: Readonly<Record<string, unknown>> | undefined): [number, string][] {
  const ids = row?.["input_ids"] as number[];
  const mask = row?.["loss_mask"] as number[];
  const found: [number, number[]][] = [];
  ids.forEach((id, place) => {
    const bytes =
      id === 256 ? [...Buffer.from("<|im_start|>")] : id === 257 ? [...Buffer.from("<|im_end|>")] : [id];
    const last = found.at(-1);
    if (last !== undefined && last[0] === mask[place]) last[1].push(...bytes);
    else found.push([mask[place] ?? -1, bytes]);
  });
  return found.map(([learns, bytes]) => [learns, Buffer.from(bytes).toString("utf8")]);
}

const turns = [
  message("assistant", "é"),
  message("user", "no", { origin: "injected" }),
  message("assistant", "masked", { train: false, weight: 0 }),
  message("user", "no", { origin: "injected" }),
  message("assistant", "SELECT 1"),
];
const row = exportRow("1", { prompt: [message("user", "q")], trajectory: trajectory("1", turns) });

describe("pretokenized", () => {
  it("learns what was sampled with its end mark, and nothing else", async () => {
    const form = await openForm(pretokenized, files);
    expect(pieces(form.rows(row)[0])).toEqual([
      [0, "<|im_start|>user\nq<|im_end|>\n<|im_start|>assistant\n"],
      [1, "é<|im_end|>"],
      [
        0,
        "\n<|im_start|>user\nno<|im_end|>\n<|im_start|>assistant\nmasked<|im_end|>\n" +
          "<|im_start|>user\nno<|im_end|>\n<|im_start|>assistant\n",
      ],
      [1, "SELECT 1<|im_end|>"],
      [0, "\n"],
    ]);
  });

  it("shows tools and calls as the template writes them", async () => {
    const native = [
      message("assistant", "<think>\nt\n</think>\n\nlook", {
        reasoning: "t",
        toolCalls: [sqlCall("c", "SELECT 1")],
      }),
      message("tool", "1", { toolCallId: "c" }),
      message("assistant", "done"),
    ];
    const given = { prompt: [message("user", "q")], trajectory: trajectory("1", native), tools: [SQL_TOOL] };
    const form = await openForm(pretokenized, files);
    const learned = pieces(form.rows(exportRow("1", given))[0]).filter(([learns]) => learns === 1);
    expect(learned.map(([, text]) => text)).toEqual([
      '<think>\nt\n</think>\n\nlook\n<tool_call>\n{"name": "execute_sql", "arguments": {"sql": "SELECT 1"}}\n</tool_call><|im_end|>',
      "done<|im_end|>",
    ]);
  });

  it("writes one row for each trained turn", async () => {
    const form = await openForm(pretokenized, { ...files, turns: "each" });
    const learned = form.rows(row).map((one) => pieces(one).filter(([learns]) => learns === 1));
    expect(learned).toEqual([[[1, "é<|im_end|>"]], [[1, "SELECT 1<|im_end|>"]]]);
  });

  it("refuses rows that are too long, and templates that change what was sampled or what came before", async () => {
    const short = await openForm(pretokenized, { ...files, maxTokens: 10 });
    expect(() => short.rows(row)).toThrow(/tokens, expected at most 10/);
    const folder = await temporaryFolder();
    const other = writeByteTokenizer(folder);
    writeFileSync(
      other.template,
      "{% for m in messages %}{{ m.role }}:{{ m.content | upper }}\n{% endfor %}",
    );
    const upper = await openForm(pretokenized, other);
    expect(() => upper.rows(row)).toThrow(/writes its message 1 otherwise than it was sampled/);
    writeFileSync(
      other.template,
      "{% for m in messages %}{{ messages | length }}{{ m.content }}\n{% endfor %}",
    );
    const counting = await openForm(pretokenized, other);
    expect(() => counting.rows(row)).toThrow(/set turns to each/);
    writeFileSync(other.template, "{{ raise_exception('no') }}");
    const refusing = await openForm(pretokenized, other);
    expect(() => refusing.rows(row)).toThrow(/the chat template refuses its first/);
  });
});
