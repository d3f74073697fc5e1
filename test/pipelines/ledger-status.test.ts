import path from "node:path";
import { expect, it } from "vitest";
import { openLedger } from "../../io/ledger.ts";
import { ledgerStatus, renderLedgerStatus } from "../../pipelines/ledger-status.ts";
import { descriptionIdentity } from "../../synth/description-sample.ts";
import { temporaryFolder } from "../temporary-folder.ts";

const use = { id: "single-turn", version: 1, options: {} };

function identity(sampleIndex: number) {
  return {
    exampleId: "e".repeat(32),
    question: "How many?",
    evidence: null,
    history: [],
    schemaTextDigest: null,
    schemaDialect: null,
    profileDigest: null,
    databaseDigest: null,
    scaffold: use,
    tools: [],
    model: { name: "m", revision: "1" },
    sampling: {},
    round: 0,
    sampleIndex,
  };
}

it("counts samples by state and failures by code, while the ledger is open elsewhere", async () => {
  const folder = await temporaryFolder();
  expect(await ledgerStatus(folder)).toBeNull();
  const ledger = await openLedger(path.join(folder, "ledger.sqlite"));
  await ledger.openSample("1".repeat(32), identity(0));
  await ledger.openSample("2".repeat(32), identity(1));
  await ledger.finish("2".repeat(32), { kind: "discarded", reason: "not wanted" });
  await ledger.record({ sampleId: "1".repeat(32), turn: 0, code: "MODEL_UNAVAILABLE", message: "no answer" });
  const status = await ledgerStatus(folder);
  expect(status).toEqual({ finished: 0, open: 1, discarded: 1, failures: { MODEL_UNAVAILABLE: 1 } });
  expect(status === null ? "" : renderLedgerStatus(status)).toBe(
    "samples: 0 finished, 1 open, 1 discarded; failures: MODEL_UNAVAILABLE 1",
  );
  await ledger.close();
});

it("counts descriptions of tables apart", async () => {
  const folder = await temporaryFolder();
  const ledger = await openLedger(path.join(folder, "ledger.sqlite"));
  const described = descriptionIdentity({
    databaseId: "shop",
    databaseDigest: "d".repeat(64),
    table: "item",
    promptText: "Describe item.",
    model: { name: "m", revision: "1" },
    sampling: { temperature: 0, topP: 1, topK: -1, maxTokens: 5, stop: [], extra: {} },
  });
  await ledger.openSample("1".repeat(32), identity(0));
  await ledger.openSample("2".repeat(32), described);
  await ledger.openSample("3".repeat(32), { ...described, question: "shop.order" });
  await ledger.finish("3".repeat(32), { kind: "discarded", reason: "unreadable" });
  const status = await ledgerStatus(folder);
  expect(status).toMatchObject({ open: 1, descriptions: { finished: 0, open: 1, discarded: 1 } });
  expect(status === null ? "" : renderLedgerStatus(status)).toBe(
    "samples: 0 finished, 1 open; descriptions of tables: 0 finished, 1 open, 1 unreadable",
  );
  await ledger.close();
});
