import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { AppendLog } from "../../io/append-log.ts";
import { temporaryFolder } from "../temporary-folder.ts";

it("has written each line when it returns, after what was there", async () => {
  const file = path.join(await temporaryFolder({ "log.jsonl": '{"old":true}\n' }), "log.jsonl");
  const log = AppendLog.open(file);
  log.add({ order: 0 });
  expect(readFileSync(file, "utf8")).toBe('{"old":true}\n{"order":0}\n');
  log.add({ order: 1, text: "two\nlines" });
  expect(readFileSync(file, "utf8")).toBe('{"old":true}\n{"order":0}\n{"order":1,"text":"two\\nlines"}\n');
  log.close();
});

it("names a folder that is not there", async () => {
  const file = path.join(await temporaryFolder(), "nowhere", "log.jsonl");
  expect(() => AppendLog.open(file)).toThrow(expect.objectContaining({ code: "FILE_MISSING" }));
});
