import { z } from "zod";
import { defineTool } from "../../core/tool.ts";
import { dialogueMemoryText } from "../dialogue-memory.ts";
import { failedCall, wrongCall } from "../failed-call.ts";
import { readArguments } from "../tool-arguments.ts";
import { MEMORY_RETRIEVE } from "../tool-descriptions.ts";

const Options = z.strictObject({
  maxLineCharacters: z.int().positive().default(500),
  maxCharacters: z.int().positive().default(8_000),
});

/**
 * The memory of a dialogue: its earlier questions, their SQL as the history has it (gold, the model's own, or
 * none), and the constraints and entities parsed from both them and `code`, see {@link dialogueMemoryText}.
 * On the first turn it says that there is no earlier one.
 *
 * The texts of the paper's tool are not published with it. Unlike in the authors' code, SQL is never called
 * gold, `code` is parsed and not executed again, and what the agent should do next is for the scaffold to say.
 * @paper MTSQL-R1, M-VERIFY
 */
export default defineTool({
  id: MEMORY_RETRIEVE.id,
  version: 1,
  schema: MEMORY_RETRIEVE.schema,
  options: Options,
  async run(callArguments, options, { database, history }) {
    const call = readArguments(callArguments, MEMORY_RETRIEVE.shapes);
    if (!call.ok) return failedCall(wrongCall(call.problem));
    const text =
      history.length === 0
        ? "There is no earlier turn: this is the first question of the dialogue."
        : dialogueMemoryText(history, call.value.code, database.schema, options);
    return { text, ok: true, execution: null };
  },
});
