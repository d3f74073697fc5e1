/** `verl_reward.py`: an asynchronous `compute_score` with the same keys on every row. */
export function verlRewardPython(terms: readonly string[]): string {
  return `"""verl: reward.custom_reward_function.path=<this file>, name compute_score.

Rows need extra_info.example_id, which gradus' verl shards have. Every row gets the same keys.
"""

from gradus_client import Client, example_id_of, numbers

CLIENT = Client()
TERMS = ${JSON.stringify(terms)}


async def compute_score(data_source, solution_str, ground_truth, extra_info=None, **kwargs):
    body = {"example_id": example_id_of(extra_info or {}), "text": solution_str}
    return numbers(await CLIENT.call_async("POST", "/reward", body), TERMS)
`;
}

/** `verl_tool.py`: a tool class for `rollout.multi_turn.tool_config_path`. */
export const VERL_TOOL_PYTHON = `"""verl: a tool that a gradus service runs, for rollout.multi_turn.tool_config_path (verl_tools.yaml).

Set rollout.multi_turn.max_tool_response_length well above verl's 256 characters: results are cut by gradus.
"""

from uuid import uuid4

from gradus_client import Client
from verl.tools.base_tool import BaseTool
from verl.tools.schemas import OpenAIFunctionToolSchema, ToolResponse


class GradusTool(BaseTool):
    def __init__(self, config: dict, tool_schema: OpenAIFunctionToolSchema):
        super().__init__(config, tool_schema)
        self._client = Client(config.get("service_url"))
        self._scaffold = config.get("scaffold")
        self._cases = {}

    async def create(self, instance_id=None, **kwargs):
        instance_id = instance_id or str(uuid4())
        self._cases[instance_id] = kwargs.get("create_kwargs", kwargs)
        return instance_id, ToolResponse()

    async def execute(self, instance_id, parameters, **kwargs):
        case = self._cases.get(instance_id, {})
        body = {name: case[name] for name in ("example_id", "db_id") if case.get(name)}
        if self._scaffold:
            body["scaffold"] = self._scaffold
        body["arguments"] = parameters
        result = await self._client.call_async("POST", "/tools/" + self.name, body)
        return ToolResponse(text=result["text"]), 0.0, {"ok": 1.0 if result["ok"] else 0.0}

    async def calc_reward(self, instance_id, **kwargs):
        return 0.0

    async def release(self, instance_id, **kwargs):
        self._cases.pop(instance_id, None)
`;

/** A tool as `verl_tools.yaml` lists it, which is JSON, and so YAML. */
export function verlToolsYaml(url: string, scaffold: string | null, tools: readonly unknown[]): string {
  const entries = tools.map((tool) => ({
    class_name: "verl_tool.GradusTool",
    config: { type: "native", service_url: url, ...(scaffold === null ? {} : { scaffold }) },
    tool_schema: tool,
  }));
  return `${JSON.stringify({ tools: entries }, null, 2)}\n`;
}

/** `verl_agent_loop.yaml`, for `rollout.agent.agent_loop_config_path`. */
export const VERL_AGENT_LOOP_YAML = `- name: gradus_agent
  _target_: verl_agent_loop.GradusAgentLoop
`;

/** `verl_agent_loop.py`: whole episodes for verl, played by the service. */
export const VERL_AGENT_LOOP_PYTHON = `"""verl: an agent loop whose protocol, tools, guardrails and reward are gradus'.

rollout.agent.agent_loop_config_path=verl_agent_loop.yaml, and the column agent_name "gradus_agent" (or
rollout.agent.default_agent_loop). Rows need extra_info.example_id; extra_info.scaffold chooses another scaffold.
Tokens are never rendered again: a reply stays as it was sampled. The prompt is the service's, not the row's.
"""

from uuid import uuid4

from gradus_client import Client, Episode, example_id_of, numbers, observation_tokens
from verl.experimental.agent_loop.agent_loop import AgentLoopBase, AgentLoopOutput, register

CLIENT = Client()
TERMS = __TERMS__


@register("gradus_agent")
class GradusAgentLoop(AgentLoopBase):
    async def run(self, sampling_params, **kwargs) -> AgentLoopOutput:
        extra = kwargs.get("extra_info") or {}
        request = {"example_id": example_id_of(kwargs), "mode": "training"}
        if extra.get("scaffold"):
            request["scaffold"] = extra["scaffold"]
        try:
            episode = await Episode.start_async(CLIENT, **request)
        except Exception as refused:
            if getattr(refused, "code", "") != "EPISODE_OPTIONS_INVALID":
                raise
            request.pop("mode")  # a scaffold without guardrails has no mode
            episode = await Episode.start_async(CLIENT, **request)
        prompt_ids = list(self.tokenizer.apply_chat_template(episode.messages, add_generation_prompt=True, tokenize=True))
        limit = self._response_length()
        response_ids, spans = [], []
        state = episode.state
        while not state["done"] and len(response_ids) < limit:
            ask = state["ask"]
            room = min(ask["max_tokens"], limit - len(response_ids))
            params = {**sampling_params, "max_tokens": room}
            if ask["stop"]:
                params.update(stop=ask["stop"], include_stop_str_in_output=True)
            output = await self.server_manager.generate(
                request_id=uuid4().hex, prompt_ids=prompt_ids + response_ids, sampling_params=params
            )
            reply_ids = list(output.token_ids)
            text = self.tokenizer.decode(reply_ids, skip_special_tokens=True)
            is_cut = len(reply_ids) >= room
            state = await episode.step_async(
                text,
                finish_reason="length" if is_cut else "stop",
                usage={"completion_tokens": len(reply_ids)},
            )
            if state["part"] > 0:
                episode.end()
                raise ValueError("the scaffold has two conversations: train dualsql-linker and dualsql-sql apart")
            spans.append((len(response_ids), len(response_ids) + len(reply_ids)))
            response_ids += reply_ids
            if not state["done"]:
                has_ended = bool(reply_ids) and reply_ids[-1] == self.tokenizer.eos_token_id
                response_ids += observation_tokens(self.tokenizer, state["observations"], has_ended)
        mask = [0] * len(response_ids)
        for (start, end), trained in zip(spans, state["reply_mask"]):
            mask[start:end] = [trained] * (end - start)
        scored = state if state["done"] else {"reward": 0.0, "terms": {}}
        if not state["done"]:
            episode.end()
        return AgentLoopOutput(
            prompt_ids=prompt_ids,
            response_ids=response_ids[:limit],
            response_mask=mask[:limit],
            reward_score=numbers(scored, TERMS)["score"],
            num_turns=2 * len(spans),
            metrics={},
            extra_fields={"reward_extra_info": numbers(scored, TERMS), "stop_reason": state["reason"] or "length"},
        )

    def _response_length(self):
        rollout = getattr(self, "rollout_config", None) or self.config.actor_rollout_ref.rollout
        return rollout.response_length
`;
