import type { ToolSchema } from "../core/model.ts";

/** `skyrl_env.py`: an environment for skyrl-gym. */
export const SKYRL_PYTHON = `"""SkyRL: an environment whose protocol, tools, guardrails and reward are gradus'.

Register it before training starts, and set env_class "gradus" in the rows or the config:

    from skyrl_gym.envs import register
    register(id="gradus", entry_point="skyrl_env:GradusEnv")
"""

from gradus_client import Client, Episode, example_id_of
from skyrl_gym.envs.base_text_env import BaseTextEnv, BaseTextEnvStepOutput

CLIENT = Client()


class GradusEnv(BaseTextEnv):
    def __init__(self, env_config=None, extras=None):
        super().__init__()
        extras = extras or {}
        self.request = {"example_id": example_id_of(extras)}
        scaffold = (extras.get("extra_info") or {}).get("scaffold") or extras.get("scaffold")
        if scaffold:
            self.request["scaffold"] = scaffold
        self.episode = None

    def init(self, prompt):
        """The service's prompt takes the place of the row's, so that it is the one that data was sampled with."""
        self.episode = Episode.start(CLIENT, **self.request)
        return list(self.episode.messages), {}

    def step(self, action):
        state = self.episode.step(action)
        if state["part"] > 0:
            raise ValueError("the scaffold has two conversations: train dualsql-linker and dualsql-sql apart")
        reward = state["reward"]
        return BaseTextEnvStepOutput(
            observations=[{"role": one["role"], "content": one["content"]} for one in state["observations"]],
            reward=0.0 if reward is None else float(reward),
            done=state["done"],
            metadata={"reason": state["reason"], "reply_mask": state["reply_mask"]},
        )

    def close(self):
        if self.episode is not None and not self.episode.done:
            self.episode.end()
`;

/** `openrlhf_agent.py`: a multi-turn agent for `--train.agent_func_path`. */
export const OPENRLHF_PYTHON = `"""OpenRLHF: --train.agent_func_path=<this file>. Labels are example ids, or JSON with example_id.

Feedback is appended to the tokens as text, so the tags of the model's chat template stand here: those below are
ChatML's (Qwen). For rewards alone, --reward.remote_url=<service>/openrlhf needs no file.
"""

import json

import torch
from gradus_client import Client, Episode
from openrlhf.utils.agent import AgentInstanceBase, MultiTurnAgentExecutor

CLIENT = Client()
BEFORE = "<|im_end|>\\n<|im_start|>user\\n"
AFTER = "<|im_end|>\\n<|im_start|>assistant\\n"


def example_of(label):
    try:
        return json.loads(label)["example_id"]
    except (ValueError, TypeError, KeyError):
        return label


class AgentInstance(AgentInstanceBase):
    async def reset(self, states, **kwargs):
        self.episode = await Episode.start_async(CLIENT, example_id=example_of(states["label"]))
        return {"observation": states["observation"]}

    async def step(self, states, **kwargs):
        state = await self.episode.step_async(states["action_text"])
        reward = torch.tensor(float(state["reward"] or 0.0))
        said = "\\n".join(one["content"] for one in state["observations"])
        return {
            "rewards": reward,
            "scores": reward,
            "environment_feedback": "" if state["done"] else BEFORE + said + AFTER,
            "done": state["done"],
            "sampling_params": states.get("sampling_params"),
            "extra_logs": {"turns": float(state["turn"])},
        }


class AgentExecutor(MultiTurnAgentExecutor):
    def __init__(self):
        super().__init__(AgentInstance)
`;

const PYTHON_TYPES: Readonly<Record<string, string>> = {
  string: "str",
  integer: "int",
  number: "float",
  boolean: "bool",
  array: "list[str]",
};

/** `trl_reward.py`: a reward function for GRPO, and an environment whose methods are the scaffold's tools. */
export function trlPython(tools: readonly ToolSchema[], scaffold: string | null): string {
  const methods = tools.map((tool) => methodOf(tool)).join("");
  return `"""TRL: GRPOTrainer(reward_funcs=gradus_reward) or environment_factory=GradusEnvironment.

Rows need the column example_id. Needs nothing of TRL itself. TRL runs the tools, so that guardrails and cutoff do not
hold here: for whole episodes use rollout_func with gradus_client.Episode.
"""

from gradus_client import Client

CLIENT = Client()
SCAFFOLD = ${scaffold === null ? "None" : JSON.stringify(scaffold)}


def text_of(completion):
    """A completion as text: itself, or the last message of the assistant."""
    if isinstance(completion, str):
        return completion
    said = [one["content"] for one in completion if one.get("role") == "assistant" and one.get("content")]
    return said[-1] if said else ""


def gradus_reward(prompts, completions, example_id, **columns):
    """One reward a completion, None where the answer could not be judged."""
    items = [{"example_id": one, "text": text_of(said)} for one, said in zip(example_id, completions)]
    scored = CLIENT.call("POST", "/rewards", {"items": items})["items"]
    failed = next((one["error"] for one in scored if "error" in one), None)
    if failed is not None:
        raise RuntimeError(failed["code"] + ": " + failed["message"])
    return [one["reward"] for one in scored]


class GradusEnvironment:
    """Public methods are the tools that the model has."""

    def reset(self, example_id=None, **columns):
        self._example_id = example_id
        return None

    def _run(self, tool, arguments):
        body = {"example_id": self._example_id, "arguments": arguments}
        if SCAFFOLD is not None:
            body["scaffold"] = SCAFFOLD
        return CLIENT.call("POST", "/tools/" + tool, body)["text"]
${methods}`;
}

interface Parameter {
  readonly type?: string;
  readonly description?: string;
}

function methodOf({ name, description, parameters }: ToolSchema): string {
  const properties = Object.entries((parameters["properties"] ?? {}) as Readonly<Record<string, Parameter>>);
  const required = (parameters["required"] ?? []) as readonly string[];
  const ordered = [...properties].sort(
    ([left], [right]) => Number(required.includes(right)) - Number(required.includes(left)),
  );
  const signature = ordered.map(([parameter, { type = "string" }]) => {
    const annotated = `${parameter}: ${PYTHON_TYPES[type] ?? "str"}`;
    return required.includes(parameter) ? annotated : `${annotated} = None`;
  });
  const lines = ordered.map(
    ([parameter, { description: said = "" }]) => `            ${parameter}: ${oneLine(said)}`,
  );
  const given = ordered.map(([parameter]) => `${JSON.stringify(parameter)}: ${parameter}`).join(", ");
  return `
    def ${name}(${["self", ...signature].join(", ")}) -> str:
        """${oneLine(description)}

        Args:
${lines.join("\n")}
        """
        given = {${given}}
        return self._run(${JSON.stringify(name)}, {key: value for key, value in given.items() if value is not None})
`;
}

/** Text that ends no docstring. */
function oneLine(text: string): string {
  return text.replaceAll("\\", "\\\\").replaceAll('"""', "'''").replace(/\s+/g, " ").trim();
}
