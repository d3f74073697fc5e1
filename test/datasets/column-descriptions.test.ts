import { describe, expect, it } from "vitest";
import { describeColumns } from "../../datasets/column-descriptions.ts";
import { writeFolder } from "./dataset-fixtures.ts";

const HEADER = "original_column_name,column_name,column_description,data_format,value_description\n";

function table(name: string, columns: readonly string[]) {
  return {
    name,
    comment: "",
    columns: columns.map((column) => ({ name: column, type: "text", comment: "as before", primaryKey: 0 })),
  };
}

async function describeWith(files: Record<string, string | Uint8Array>) {
  const root = await writeFolder(files);
  const schema = {
    databaseId: "bakery",
    tables: [table("rulings", ["Date Of", "text", "id"]), table("loaf", ["id"])],
    foreignKeys: [],
  };
  const paths = Object.keys(files).map((name) => `${root}/${name}`);
  const { schema: described, notes } = await describeColumns({ schema, notes: ["from before"] }, paths);
  const comments = described.tables.map((one) => one.columns.map((column) => column.comment));
  return { comments, notes };
}

describe("describeColumns", () => {
  it("joins description and values in one line, and takes the natural name where there is no description", async () => {
    const { comments, notes } = await describeWith({
      "rulings.csv": `${HEADER}Date Of,date,when it was\r\ndecided,date,"as\nYYYY"\ntext,the wording,,text,\nid,id,,integer,\n`,
      "loaf.csv": `${HEADER}id,,the number,integer,1 up\n`,
    });
    expect(comments).toEqual([["when it was", "the wording", "as before"], ["the number; 1 up"]]);
    expect(notes).toContain('rulings has no column "decided", which its file describes');
  });

  it("matches names leniently and says so", async () => {
    const { comments, notes } = await describeWith({
      "Ruling.csv": `${HEADER} date_of ,,when,date,\nwhat,,nothing,text,\n`,
      "deck.csv": HEADER,
    });
    expect(comments[0]).toEqual(["when", "as before", "as before"]);
    expect(notes).toEqual([
      "from before",
      "Ruling.csv is taken for the table rulings",
      "deck.csv describes no table",
      "no file describes the table loaf",
      'rulings: " date_of " is taken for the column Date Of',
      'rulings has no column "what", which its file describes',
    ]);
  });

  it("reads Windows-1252 and says so", async () => {
    const bytes = Buffer.concat([
      Buffer.from(`${HEADER}id,,`),
      Buffer.from([0x95, 0x20, 0xe9]),
      Buffer.from(",,\n"),
    ]);
    const { comments, notes } = await describeWith({ "loaf.csv": bytes });
    expect(comments[1]).toEqual(["• é"]);
    expect(notes).toContain("loaf.csv is not UTF-8 and is read as Windows-1252");
  });

  it("leaves out a file that is no description file or no CSV", async () => {
    const { comments, notes } = await describeWith({
      "loaf.csv": "a,b\n1,2\n",
      "rulings.csv": `${HEADER}"id,`,
    });
    expect(comments.flat()).toEqual(["as before", "as before", "as before", "as before"]);
    expect(notes).toContain("loaf.csv has no column original_column_name and is left out");
    expect(notes).toContain("rulings.csv cannot be read and is left out: CSV_MALFORMED");
  });
});
