import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { listFolder } from "../../io/files.ts";
import type { AuditCommand } from "../audit/audit-command.ts";
import type { CliCommand } from "./command.ts";

const HERE = fileURLToPath(import.meta.url);
const COMMANDS = await commandsIn(path.join(path.dirname(path.dirname(HERE)), "audit", "commands"));

/** `gradus audit`: its commands are the files of `pipelines/audit/commands`. */
const command: CliCommand = {
  register: (program) => {
    const audit = program
      .command("audit")
      .description("find wrong annotations, correct them, audit corrections")
      .addHelpText(
        "after",
        "\nExample:\n  gradus audit list --dataset spider --root ~/data/spider --split train",
      );
    for (const one of COMMANDS) one.register(audit);
  },
};

async function commandsIn(folder: string): Promise<readonly AuditCommand[]> {
  const extension = path.extname(HERE);
  const files = (await listFolder(folder)).filter(
    (name) => path.extname(name) === extension && !name.endsWith(".d.ts"),
  );
  return Promise.all(
    files.map(async (name) => {
      const module = (await import(pathToFileURL(path.join(folder, name)).href)) as { default: AuditCommand };
      return module.default;
    }),
  );
}

export default command;
