import { writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { ChatTokenizer } from "../../curation/chat-tokenizer.ts";
import { writeByteTokenizer } from "../interop/byte-tokenizer.ts";
import { temporaryFolder } from "../temporary-folder.ts";

describe("ChatTokenizer", () => {
  it("renders and tokenises as the files say", async () => {
    const files = { ...writeByteTokenizer(await temporaryFolder()), config: null };
    const chat = await ChatTokenizer.open(files);
    const text = chat.render({ messages: [{ role: "user", content: "é" }], tools: [], asks: true });
    expect(text).toBe("<|im_start|>user\né<|im_end|>\n<|im_start|>assistant\n");
    expect(chat.encode("<|im_start|>a é")).toEqual([256, 97, 32, 0xc3, 0xa9]);
    expect(chat.decode([256, 97, 32, 0xc3, 0xa9])).toBe("<|im_start|>a é");
    expect(chat.encode("")).toEqual([]);
  });

  it("takes template and special tokens of a tokenizer_config.json, without the marks around replies", async () => {
    const folder = await temporaryFolder();
    const { tokenizer } = writeByteTokenizer(folder);
    const config = path.join(folder, "tokenizer_config.json");
    const chat_template =
      "{% generation %}{{ bos_token }}{{ messages[0].content }}{{ eos_token }}{% endgeneration %}";
    await writeFile(
      config,
      JSON.stringify({ chat_template, bos_token: "<s>", eos_token: { content: "</s>" } }),
    );
    const chat = await ChatTokenizer.open({ tokenizer, config, template: null });
    expect(chat.render({ messages: [{ role: "user", content: "a" }], tools: [], asks: false })).toBe(
      "<s>a</s>",
    );
  });

  it("refuses a template with marks that the tokenizer does not have", async () => {
    const files = { ...writeByteTokenizer(await temporaryFolder(), ["<|im_start|>"]), config: null };
    await expect(ChatTokenizer.open(files)).rejects.toMatchObject({
      code: "TOKENIZER_MISMATCH",
      message: `the chat template writes <|im_end|>, which ${files.tokenizer} has no token for`,
    });
  });

  it("refuses files that are no tokenizer, and none for a template", async () => {
    const folder = await temporaryFolder();
    const { tokenizer, template } = writeByteTokenizer(folder);
    await expect(ChatTokenizer.open({ tokenizer, config: null, template: null })).rejects.toMatchObject({
      code: "TOKENIZER_UNREADABLE",
    });
    await writeFile(tokenizer, "[");
    await expect(ChatTokenizer.open({ tokenizer, config: null, template })).rejects.toMatchObject({
      code: "TOKENIZER_UNREADABLE",
    });
    await writeFile(tokenizer, "{}");
    await expect(ChatTokenizer.open({ tokenizer, config: null, template })).rejects.toMatchObject({
      code: "TOKENIZER_UNREADABLE",
    });
  });
});
