import path from "node:path";
import { renderCorrectionPlan } from "../audit/correction-plan.ts";
import { interruptSignal } from "../interrupt.ts";
import { renderForecasts } from "../render-forecast.ts";
import { renderPlan } from "../render-summary.ts";
import { SILENT_REPORTER } from "../reporter.ts";
import { readRunConfig, type RunSummary, runTrainingSet } from "../run-training-set.ts";
import {
  type CliCommand,
  type CommonOptions,
  pathRoots,
  printJson,
  printText,
  withCommonOptions,
} from "./command.ts";

/** `gradus plan`: what is done and what would run. */
const command: CliCommand = {
  register: (program) => {
    withCommonOptions(
      program
        .command("plan <config>")
        .description("say what is done, what would run and why, and what sampling would cost; makes nothing"),
    )
      .addHelpText("after", "\nExample:\n  gradus plan configs/quickstart.yaml")
      .action(plan);
  },
};

async function plan(configFile: string, options: CommonOptions): Promise<void> {
  const interrupt = interruptSignal(() => undefined);
  try {
    const summary = await runTrainingSet(await readRunConfig(configFile), {
      roots: pathRoots(options, path.dirname(configFile)),
      until: null,
      dryRun: true,
      workers: 1,
      reporter: SILENT_REPORTER,
      signal: interrupt.signal,
    });
    const { name, steps, forecasts, descriptionForecasts, corrections } = summary;
    if (options.json === true) printJson({ name, steps, forecasts, descriptionForecasts, corrections });
    else printText([renderPlan(steps), ...correctionLines(summary), ...forecastLines(summary)].join("\n\n"));
  } finally {
    interrupt.release();
  }
}

function correctionLines({ corrections = null }: RunSummary): string[] {
  return corrections === null ? [] : [renderCorrectionPlan(corrections)];
}

/** The forecasts, or how to get one. */
function forecastLines({
  forecasts: sampling,
  descriptionForecasts: descriptions,
  steps,
}: RunSummary): string[] {
  const isPending = steps.some(({ stage, status }) => stage === "sample" && status === "pending");
  const lines = renderForecasts({ sampling, descriptions });
  if (!isPending || lines.length > 0) return lines;
  return [
    "what sampling would ask for is known once the questions are loaded: gradus run <config> --until golds",
  ];
}

export default command;
