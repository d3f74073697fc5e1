import { describe, expect, it } from "vitest";
import { type DoctorReport, renderDoctorReport } from "../../pipelines/doctor-report.ts";

const BROKEN = Array.from({ length: 22 }, (_, index) => ({
  sourceId: String(index),
  databaseId: "bakery",
  status: "error" as const,
  cause: "no such table",
  message: "no such table: Roll",
}));

const REPORT: DoctorReport = {
  loader: "sparc",
  root: "/data/sparc",
  ok: false,
  splits: [
    {
      split: "dev",
      release: "1.0",
      files: [
        { name: "dev.json", role: "questions", required: true, present: true },
        { name: "tables.json", role: "tables", required: true, present: false },
        { name: "dev_gold.txt", role: "gold", required: false, present: false },
      ],
      problems: ["DATASET_FILE_MALFORMED: cut"],
      goldsFrom: "questions",
      golds: {
        total: 1203,
        statuses: { database_missing: 3, error: 22, ok: 1178 },
        ran: 1178,
        causes: [{ cause: "no such table", count: 22 }],
        broken: BROKEN,
      },
      examples: 1203,
      dialogues: { total: 422, whole: 400 },
      rejects: [{ rowId: "dev.json[3]", code: "ROW_INVALID", message: "query: expected string" }],
      duplicates: { identical: [{ sourceId: "137", times: 2 }], conflicting: [] },
      databases: [
        { databaseId: "bakery", golds: 1200 },
        { databaseId: "lost", golds: 3 },
      ],
      notes: [{ databaseId: "bakery", note: "no file describes the table Sale" }],
    },
  ],
  databases: [
    {
      databaseId: "bakery",
      status: "ok",
      message: "",
      digest: "",
      bytes: 1500000,
      file: "/x",
      tables: 2,
      rows: 3,
    },
    {
      databaseId: "lost",
      status: "missing",
      message: "no file",
      digest: "",
      bytes: 0,
      file: null,
      tables: 0,
      rows: 0,
    },
  ],
};

describe("renderDoctorReport", () => {
  it("is short and aligned, and cuts long lists with a count", () => {
    const lines = renderDoctorReport(REPORT).split("\n");
    expect(lines.slice(0, 14)).toEqual([
      "sparc in /data/sparc: not all is well",
      "",
      "dev (release 1.0)",
      "  questions      dev.json  present",
      "  tables         tables.json  MISSING",
      "  gold           dev_gold.txt  absent",
      "  problem        DATASET_FILE_MALFORMED: cut",
      "  examples       1,203 in 422 dialogues on 2 databases",
      "  rejects        1",
      "                 dev.json[3]: ROW_INVALID: query: expected string",
      "  same id        identical content: 137 (2 times)",
      "  golds          1,178 of 1,203 run: database_missing 3, error 22, ok 1,178",
      "                 400 of 422 dialogues run whole",
      "  broken         no such table 22",
    ]);
    expect(lines[14]).toBe("                 0  bakery  no such table: Roll");
    expect(lines.slice(34)).toEqual([
      "                 and 2 more",
      "  notes          1",
      "                 bakery: no file describes the table Sale",
      "",
      "databases: 1 of 2 good, 1.5 MB",
      "  missing        lost  3 golds: no file",
    ]);
  });

  it("counts the grading modes and lists the golds that data leave open", () => {
    const [split] = REPORT.splits;
    const finding = { kind: "limit_tie", message: "LIMIT cuts a tie" } as const;
    const gold = { databaseId: "bakery", mode: "subset", k: 3, findings: [finding] } as const;
    const grading = {
      graded: 1178,
      stable: 1156,
      modes: { multiset: 1156, subset: 22 },
      findings: [{ kind: "limit_tie", golds: 22 }] as const,
      undetermined: Array.from({ length: 22 }, (_, index) => ({ sourceId: String(index), ...gold })),
    };
    const text = renderDoctorReport({
      ...REPORT,
      splits: split === undefined ? [] : [{ ...split, grading }],
    });
    const lines = text.split("\n");
    const start = lines.findIndex((line) => line.startsWith("  grading"));
    expect(lines.slice(start, start + 3)).toEqual([
      "  grading        1,156 of 1,178 golds stable: multiset 1,156, subset 22",
      "  undetermined   limit_tie 22",
      "                 0  bakery  subset of 3: LIMIT cuts a tie",
    ]);
    expect(lines.slice(start + 21, start + 24)).toEqual([
      "                 19  bakery  subset of 3: LIMIT cuts a tie",
      "                 and 2 more",
      "  notes          1",
    ]);
  });

  it("says when nothing is broken", () => {
    const text = renderDoctorReport({ loader: "bird", root: "/data", ok: true, splits: [], databases: [] });
    expect(text).toBe("bird in /data: nothing is broken\n\ndatabases: 0 of 0 good, 0.0 MB");
  });
});
