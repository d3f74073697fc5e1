import type { ToolSchema } from "../core/model.ts";
import { clientPython } from "./trainer-files-client.ts";
import { OPENRLHF_PYTHON, SKYRL_PYTHON, trlPython } from "./trainer-files-others.ts";
import {
  VERL_AGENT_LOOP_PYTHON,
  VERL_AGENT_LOOP_YAML,
  VERL_TOOL_PYTHON,
  verlRewardPython,
  verlToolsYaml,
} from "./trainer-files-verl.ts";

/** What the files of a trainer are written from. */
export interface TrainerFilesRequest {
  /** Address of the service, without a slash at its end. */
  readonly url: string;
  /** Name of the environment variable with the token; `null` for none. */
  readonly tokenVariable: string | null;
  /** What is served there: files that need something else are left out. */
  readonly services: readonly ("tools" | "rewards" | "env")[];
  /** The terms of the reward, in order: every row gets their keys. */
  readonly terms: readonly string[];
  /** The scaffold that the tools are of; `null` leaves it to the service. */
  readonly scaffold: string | null;
  /** Its tools as a model is told of them. */
  readonly tools: readonly ToolSchema[];
}

/** The Python files that trainers load, by name: thin, since everything is done by the service. */
export function trainerFiles(request: TrainerFilesRequest): Record<string, string> {
  const { url, tokenVariable, services, terms, scaffold, tools } = request;
  const files: Record<string, string> = { "gradus_client.py": clientPython(url, tokenVariable) };
  const functions = tools.map(({ name, description, parameters }) => ({
    type: "function",
    function: { name, description, parameters },
  }));
  if (services.includes("rewards")) files["verl_reward.py"] = verlRewardPython(terms);
  if (services.includes("tools")) {
    files["verl_tool.py"] = VERL_TOOL_PYTHON;
    files["verl_tools.yaml"] = verlToolsYaml(url, scaffold, functions);
  }
  if (services.includes("rewards") && services.includes("tools")) {
    files["trl_reward.py"] = trlPython(tools, scaffold);
  } else if (services.includes("rewards")) {
    files["trl_reward.py"] = trlPython([], scaffold);
  }
  if (services.includes("env")) {
    files["verl_agent_loop.py"] = VERL_AGENT_LOOP_PYTHON.replace("__TERMS__", JSON.stringify(terms));
    files["verl_agent_loop.yaml"] = VERL_AGENT_LOOP_YAML;
    files["skyrl_env.py"] = SKYRL_PYTHON;
    files["openrlhf_agent.py"] = OPENRLHF_PYTHON;
  }
  return files;
}
