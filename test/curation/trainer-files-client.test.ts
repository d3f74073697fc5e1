import { expect, it } from "vitest";
import { clientPython } from "../../curation/trainer-files-client.ts";

it("names the variable with the token, and never a token", () => {
  expect(clientPython("http://h:1", null)).toContain("TOKEN_VARIABLE = None\n");
  expect(clientPython("http://h:1", "GRADUS_TOKEN")).toContain('TOKEN_VARIABLE = "GRADUS_TOKEN"\n');
});
