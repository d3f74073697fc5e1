import path from "node:path";
import { accuracyOf } from "../accuracy.ts";
import { funnelOf } from "../funnel.ts";
import { ledgerStatus, renderLedgerStatus } from "../ledger-status.ts";
import { renderFunnel, renderPlan } from "../render-summary.ts";
import { readRecipe, statusOf } from "../run-status.ts";
import {
  type CliCommand,
  type CommonOptions,
  pathRoots,
  printJson,
  printText,
  withCommonOptions,
} from "./command.ts";

/** `gradus status`: progress and funnel of a run. */
const command: CliCommand = {
  register: (program) => {
    withCommonOptions(program.command("status <run>").description("funnel and progress of a run"))
      .addHelpText("after", "\nExample:\n  gradus status quickstart")
      .action(status);
  },
};

async function status(name: string, options: CommonOptions): Promise<void> {
  const { runsFolder } = pathRoots(options, process.cwd());
  const config = await readRecipe(runsFolder, name);
  const { result, store } = await statusOf(path.join(runsFolder, name), config);
  const funnel = await funnelOf(result, store);
  const ledger = await ledgerStatus(path.join(runsFolder, name));
  if (options.json === true) {
    printJson({ name, steps: result.steps, funnel, ledger, accuracy: await accuracyOf(result, store) });
    return;
  }
  const parts = [renderPlan(result.steps), renderFunnel(funnel)];
  if (ledger !== null) parts.push(renderLedgerStatus(ledger));
  printText(parts.join("\n\n"));
}

export default command;
