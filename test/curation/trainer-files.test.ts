import { expect, it } from "vitest";
import { trainerFiles } from "../../curation/trainer-files.ts";
import { REQUEST } from "./trainer-request.ts";

it("writes what needs the services that there are", () => {
  expect(Object.keys(trainerFiles(REQUEST)).sort()).toEqual([
    "gradus_client.py",
    "openrlhf_agent.py",
    "skyrl_env.py",
    "trl_reward.py",
    "verl_agent_loop.py",
    "verl_agent_loop.yaml",
    "verl_reward.py",
    "verl_tool.py",
    "verl_tools.yaml",
  ]);
  expect(Object.keys(trainerFiles({ ...REQUEST, services: ["rewards"] })).sort()).toEqual([
    "gradus_client.py",
    "trl_reward.py",
    "verl_reward.py",
  ]);
  expect(Object.keys(trainerFiles({ ...REQUEST, services: ["tools"] })).sort()).toEqual([
    "gradus_client.py",
    "verl_tool.py",
    "verl_tools.yaml",
  ]);
});

it("fills in the address and the terms, and leaves no place empty", () => {
  const files = trainerFiles(REQUEST);
  expect(files["gradus_client.py"]).toContain('URL = "http://127.0.0.1:8100"');
  expect(files["verl_reward.py"]).toContain('TERMS = ["task","length"]');
  for (const text of Object.values(files)) {
    expect(text).not.toContain("__TERMS__");
    expect(text.endsWith("\n")).toBe(true);
  }
});
