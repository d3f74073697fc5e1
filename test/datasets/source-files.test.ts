import { describe, expect, it } from "vitest";
import {
  pickFile,
  presentFiles,
  requireFiles,
  requireSplit,
  sourceFile,
} from "../../datasets/source-files.ts";
import { writeFolder } from "./dataset-fixtures.ts";

const QUESTIONS = { role: "questions", required: true } as const;

describe("pickFile", () => {
  it("takes the first that is there, else the expected one", async () => {
    const root = await writeFolder({ "b.json": [], "c.json": [] });
    expect((await pickFile(root, ["a.json", "b.json", "c.json"], QUESTIONS)).name).toBe("b.json");
    expect((await pickFile(root, ["x.json", "y.json"], QUESTIONS)).name).toBe("x.json");
  });
});

describe("requireFiles", () => {
  it("names the missing file, what is there, and a gold file that stands alone", async () => {
    const root = await writeFolder({ "test_gold.sql": "", "tables.json": [] });
    const files = [
      sourceFile(root, "test.json", "questions", true),
      sourceFile(root, "test_gold.sql", "gold", false),
      sourceFile(root, "absent.sql", "gold", false),
    ];
    expect((await presentFiles(files)).map((file) => file.name)).toEqual(["test_gold.sql"]);
    const failure = await requireFiles(root, files).catch((thrown: unknown) => thrown);
    expect(failure).toMatchObject({ code: "DATASET_FILE_MISSING", site: { file: "test.json" } });
    expect(failure).toHaveProperty(
      "message",
      expect.stringContaining("test_gold.sql is there, but it holds no"),
    );
    expect(failure).toHaveProperty(
      "hint",
      expect.stringContaining("the folder holds: tables.json, test_gold.sql"),
    );
  });

  it("says when there is no folder at all", async () => {
    const files = [sourceFile("/nowhere", "dev.json", "questions", true)];
    await expect(requireFiles("/nowhere", files)).rejects.toMatchObject({
      hint: expect.stringContaining("empty or missing") as string,
    });
  });
});

describe("requireSplit", () => {
  it("names the near miss", () => {
    const loader = { id: "bird", splits: ["train", "dev", "mini_dev"] };
    const wrong = { root: "/", split: "minidev", release: null };
    expect(() => requireSplit(loader, wrong)).toThrowError(
      expect.objectContaining({ code: "DATASET_SPLIT_UNKNOWN", hint: 'did you mean "mini_dev"?' }) as Error,
    );
  });
});
