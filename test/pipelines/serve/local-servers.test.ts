import { writeFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { DatasetConfig } from "../../../pipelines/config.ts";
import { localServers } from "../../../pipelines/serve/local-servers.ts";
import { shopQuestions, writeShopDataset } from "../../e2e/spider-fixture.ts";
import { temporaryFolder } from "../../temporary-folder.ts";

const QUESTIONS = shopQuestions(3);

async function serversOf(competence = 1) {
  const folder = await temporaryFolder();
  writeShopDataset(path.join(folder, "shops"), QUESTIONS, ["north"]);
  writeShopDataset(
    path.join(folder, "others"),
    [{ question: "How many staff?", query: "SELECT 5", answer: "" }],
    ["north"],
  );
  const roots = { dataRoot: null, configFolder: folder, runsFolder: path.join(folder, "runs") };
  const dataset = (root: string) => DatasetConfig.parse({ loader: "spider", root, split: "train" });
  const evaluation = { datasets: [dataset("./others")], rollouts: [] };
  const servers = localServers({ datasets: [dataset("./shops")], evaluation, seed: 1 }, roots);
  const role = { provider: "simulated", name: "small", revision: "", competence, client: {} } as const;
  return { folder, servers, role };
}

async function ask(url: string, content: string): Promise<{ status: number; text: string }> {
  const response = await fetch(`${url}/v1/chat/completions`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ model: "small", messages: [{ role: "user", content }] }),
  });
  return { status: response.status, text: await response.text() };
}

it("a simulated model knows the questions of training and of evaluation", async () => {
  const { servers, role } = await serversOf();
  const server = await servers.simulated(role);
  try {
    expect((await ask(server.url, QUESTIONS[0]?.question ?? "")).text).toContain("staff > 0");
    expect((await ask(server.url, "How many staff?")).text).toContain("SELECT 5");
    const models = (await (await fetch(`${server.url}/v1/models`)).json()) as { data: { id: string }[] };
    expect(models.data.map(({ id }) => id)).toEqual(["small"]);
  } finally {
    await server.close();
  }
  await expect(ask(server.url, "still there?")).rejects.toThrow("fetch failed");
});

it("a recording is found as every path of a config is", async () => {
  const { folder, servers } = await serversOf();
  const request = { model: "small", messages: [{ role: "user", content: "Anything?" }] };
  writeFileSync(
    path.join(folder, "recorded.jsonl"),
    `${JSON.stringify({ request, reply: { content: "Nothing." } })}\n`,
  );
  const role = { provider: "replay", name: "small", revision: "", client: {} } as const;
  const server = await servers.replay({ ...role, recording: "./recorded.jsonl" });
  try {
    expect((await ask(server.url, "Anything?")).text).toContain("Nothing.");
    expect((await ask(server.url, "Something else?")).status).toBe(404);
  } finally {
    await server.close();
  }
  await expect(servers.replay({ ...role, recording: "nowhere.jsonl" })).rejects.toMatchObject({
    code: "PATH_DATA_ROOT_MISSING",
  });
});
