import type { Command } from "commander";
import { GradusError } from "../../core/errors.ts";
import { trainSimulated } from "../simulated-trainer.ts";
import { type CliCommand, printText } from "./command.ts";

interface Options {
  readonly shards?: string;
  readonly name?: string;
  readonly competence?: string;
}

/** `gradus train-simulated`: what stands for training where the model is simulated. */
const command: CliCommand = {
  register: (program: Command) => {
    program
      .command("train-simulated")
      .description(
        "stand-in for a trainer: reads a round's shards and prints a simulated model that is right more often",
      )
      .option("--shards <dir>", "folder of shards (default: $GRADUS_SHARDS)")
      .option("--name <name>", "the model that learns (default: $GRADUS_MODEL_NAME)")
      .option("--competence <share>", "how often it is right so far (default: $GRADUS_MODEL_COMPETENCE)")
      .addHelpText(
        "after",
        "\nExample:\n  gradus train-simulated --shards runs/mtsql-r1/shards --name simulated-student --competence 0.6",
      )
      .action(train);
  },
};

async function train(options: Options): Promise<void> {
  const shards = options.shards ?? process.env["GRADUS_SHARDS"];
  if (shards === undefined)
    throw new GradusError("USAGE", "--shards is missing, and GRADUS_SHARDS is not set");
  const name = options.name ?? process.env["GRADUS_MODEL_NAME"] ?? "simulated-student";
  const suffix = /@([\d.]+)$/.exec(name)?.[1];
  const competence = Number(options.competence ?? process.env["GRADUS_MODEL_COMPETENCE"] ?? suffix ?? "0.6");
  if (!(competence >= 0 && competence <= 1)) {
    throw new GradusError(
      "USAGE",
      `--competence must be from 0 to 1, got "${options.competence ?? competence}"`,
    );
  }
  printText(JSON.stringify(await trainSimulated({ shards, name, competence })));
}

export default command;
