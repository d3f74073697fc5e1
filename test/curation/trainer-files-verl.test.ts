import { expect, it } from "vitest";
import { verlRewardPython, verlToolsYaml } from "../../curation/trainer-files-verl.ts";

it("tools are listed in JSON, which is YAML, their keys in the order that templates print", () => {
  const tool = {
    type: "function",
    function: { name: "f", description: "does", parameters: { type: "object" } },
  };
  const listed = verlToolsYaml("http://h:1", null, [tool]);
  expect(JSON.parse(listed)).toEqual({
    tools: [
      {
        class_name: "verl_tool.GradusTool",
        config: { type: "native", service_url: "http://h:1" },
        tool_schema: tool,
      },
    ],
  });
  expect(listed.indexOf('"name"')).toBeLessThan(listed.indexOf('"description"'));
});

it("a score has the terms' keys on every row", () => {
  expect(verlRewardPython(["answer"])).toContain('TERMS = ["answer"]');
});
