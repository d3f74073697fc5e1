import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { listFolder } from "../../io/files.ts";
import type { CliCommand } from "./command.ts";

const FOLDER = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "../audit/commands");
const EXTENSION = path.extname(fileURLToPath(import.meta.url));

const actions: CliCommand[] = [];
for (const name of await listFolder(FOLDER)) {
  if (path.extname(name) !== EXTENSION || name.endsWith(".d.ts")) continue;
  const module = (await import(pathToFileURL(path.join(FOLDER, name)).href)) as { default: CliCommand };
  actions.push(module.default);
}

/** `gradus audit`: finds wrong annotations, corrects them, and audits corrections; one file an action. */
const command: CliCommand = {
  register: (program) => {
    const audit = program
      .command("audit")
      .description("find wrong annotations, correct them, and audit corrections")
      .addHelpText(
        "after",
        "\nExample:\n  gradus audit diff --before bird/dev_2023/dev.json --after bird/dev/dev.json",
      );
    for (const action of actions) action.register(audit);
  },
};

export default command;
