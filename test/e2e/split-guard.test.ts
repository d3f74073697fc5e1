import { readFileSync, symlinkSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { QuestionIndex, QuestionWeights } from "../../curation/question-index.ts";
import { sameQuestionKey } from "../../curation/question-words.ts";
import { describeWithShared } from "../shared-folder.ts";
import { temporaryFolder } from "../temporary-folder.ts";
import { runGradus } from "./gradus-process.ts";
import { portRows } from "./raw-run.ts";

interface Question {
  readonly question: string;
  readonly query: string;
  readonly db_id: string;
}

function json(file: string): unknown {
  return JSON.parse(readFileSync(file, "utf8"));
}

/** Every tenth or so of a list, `count` of them. */
function spread<T>(rows: readonly T[], count: number): T[] {
  return Array.from({ length: count }, (_, index) => rows[Math.floor((index * rows.length) / count)] as T);
}

describeWithShared("the split guard on Spider", (shared) => {
  const data = path.join(shared, "data");
  const train = json(path.join(data, "spider/train_spider.json")) as Question[];
  const dev = json(path.join(data, "spider/dev.json")) as Question[];
  const variants = path.join(data, "spider_variants");
  const synonyms = json(path.join(variants, "spider_syn/dev.json")) as { SpiderSynQuestion: string }[];
  const realistic = json(path.join(variants, "spider_realistic/spider-realistic.json")) as Question[];
  const sparc = json(path.join(data, "sparc/dev.json")) as { interaction: { utterance: string }[] }[];

  it("drops planted leaks with what they give away, and few others", async () => {
    const hidden = (question: string): Question => ({ question, query: "SELECT 1", db_id: "flight_1" });
    const long = (text: string): boolean => sameQuestionKey(text).split(" ").length >= 5;
    const turns = sparc
      .flatMap(({ interaction }) => interaction.map(({ utterance }) => utterance))
      .filter(long);
    const planted: Readonly<Record<string, readonly Question[]>> = {
      clean: spread(train, 200),
      database: spread(dev, 20),
      verbatim: spread(dev, 40)
        .filter(({ question }) => long(question))
        .map(({ question }) => hidden(question)),
      turn: spread(turns, 40).map(hidden),
      synonyms: spread(synonyms, 60).map((row) => hidden(row.SpiderSynQuestion)),
      realistic: spread(realistic, 40).map(({ question }) => hidden(question)),
    };
    const rows = Object.values(planted).flat();
    const kinds = Object.entries(planted).flatMap(([kind, list]) => list.map(() => kind));
    const config = {
      gradus: 1,
      name: "planted",
      datasets: [{ loader: "spider", root: "./planted", split: "train" }],
      answers: { import: [{ model: { name: "gold" }, files: ["./gold.sql"] }] },
      filter: { trivial: null, intractable: null },
      guard: {
        against: [
          { loader: "spider", root: path.join(data, "spider"), split: "dev" },
          { loader: "sparc", root: path.join(data, "sparc"), split: "dev" },
        ],
      },
    };
    const folder = await temporaryFolder({
      "run.yaml": JSON.stringify(config),
      "gold.sql": rows.map(({ query }) => `${query.replace(/\s+/g, " ")}\n`).join(""),
      "planted/train_spider.json": JSON.stringify(rows),
      "planted/tables.json": readFileSync(path.join(data, "spider/tables.json"), "utf8"),
    });
    symlinkSync(path.join(data, "spider/database"), path.join(folder, "planted/database"));
    const run = await runGradus(["run", "run.yaml", "--until", "split", "--json"], { cwd: folder });
    expect(run.status, run.stderr).toBe(0);

    const runFolder = path.join(folder, "runs/planted");
    const reasons = new Map(
      portRows(runFolder, "guard", "dropped").map((row) => [Number(row["sourceId"]), String(row["reason"])]),
    );
    const filtered = new Set(portRows(runFolder, "filter", "dropped").map((row) => Number(row["sourceId"])));
    const share = (kind: string, reason = ""): number => {
      const places = kinds.flatMap((other, place) => (other === kind && !filtered.has(place) ? [place] : []));
      const caught = places.filter((place) => reasons.get(place)?.includes(reason) === true);
      return caught.length / places.length;
    };
    expect(share("database", "guard_database")).toBe(1);
    expect(share("verbatim", "guard_question")).toBe(1);
    expect(share("turn", "guard_question")).toBe(1);
    expect(share("synonyms")).toBeGreaterThanOrEqual(0.85);
    expect(share("realistic")).toBeGreaterThanOrEqual(0.85);
    expect(share("clean")).toBeLessThanOrEqual(0.03);
    const [message] = portRows(runFolder, "guard", "dropped")
      .filter((row) => row["reason"] === "guard_near_question")
      .map((row) => row["message"]);
    expect(message).toMatch(/^its question is like \(\d\.\d\d\) what (spider|sparc)\/dev [\d:]+ asks: "/);
    const funnel = (JSON.parse(run.stdout) as { funnel: { name: string; count: number }[] }).funnel;
    expect(funnel.find(({ name }) => name === "guard_database")?.count).toBeGreaterThan(0);
  });

  it("finds Spider-Syn's dev questions by their text alone, at a few false alarms", () => {
    const unique = (texts: readonly string[]): string[] => [...new Set(texts)];
    const guarded = unique(dev.map(({ question }) => question));
    const same = new Set(guarded.map(sameQuestionKey));
    const weights = new QuestionWeights();
    for (const { question } of train) weights.add(question);
    const index = new QuestionIndex(guarded, weights);
    const similar = (text: string): number => index.nearest(text)?.similarity ?? -1;
    const others = unique(train.map(({ question }) => question)).filter(
      (text) => !same.has(sameQuestionKey(text)),
    );
    const alarms = others.map(similar).sort((left, right) => right - left);
    const found = unique(synonyms.map((row) => row.SpiderSynQuestion)).map(similar);
    const recallAt = (alarmRate: number): number => {
      const threshold = alarms[Math.floor(alarmRate * alarms.length)] ?? 1;
      const recall = found.filter((similarity) => similarity > threshold).length / found.length;
      console.log(
        `false alarms ${alarmRate}: recall ${recall.toFixed(3)}, threshold ${threshold.toFixed(3)}`,
      );
      return recall;
    };
    expect(recallAt(0.0025)).toBeGreaterThan(0.82);
    expect(recallAt(0.01)).toBeGreaterThan(0.88);
    expect(recallAt(0.02)).toBeGreaterThan(0.9);
  });
});
