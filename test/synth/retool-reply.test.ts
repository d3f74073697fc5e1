import { describe, expect, it } from "vitest";
import { annotatedSchema, readRetool } from "../../synth/retool-reply.ts";
import sqliteQuery from "../../synth/tools/sqlite-query.ts";

const read = (content: string) => readRetool({ content, toolCalls: [] }, [sqliteQuery.schema]);
const RUN = '<tool_call>{"name":"sqlite_query","arguments":{"sql":"SELECT 1"}}</tool_call>';

describe("readRetool", () => {
  it("takes a reply with a call apart", () => {
    expect(read(`<scratch_pad>look</scratch_pad><schema>{"boat":[]}</schema>${RUN}`)).toEqual({
      pad: "look",
      isPadOpen: false,
      visible: `<schema>{"boat":[]}</schema>${RUN}`,
      calls: [
        {
          id: "text_call_0",
          name: "sqlite_query",
          arguments: { sql: "SELECT 1" },
          raw: RUN,
          start: 28,
          problem: null,
          isRepaired: false,
        },
      ],
      answers: [],
      schema: '{"boat":[]}',
      isForged: false,
    });
  });

  it("takes a reply with an answer apart, its last schema counts", () => {
    const text = "<schema>a</schema><schema>b</schema><final_answer>```sql\nSELECT 1\n```</final_answer>";
    expect(read(text)).toMatchObject({
      pad: null,
      calls: [],
      schema: "b",
      answers: [{ sql: "SELECT 1", isClosed: true, start: 36, end: text.length }],
    });
  });

  it("keeps an answer that does not end only where it is alone", () => {
    expect(read("<final_answer>SELECT 1").answers).toMatchObject([{ sql: "", isClosed: false }]);
    expect(read(`${RUN}<final_answer>SELECT 1`).answers).toEqual([]);
    expect(read("<final_answer>SELECT 1</final_answer><final_answer>").answers).toHaveLength(1);
  });

  it("reads nothing in a call, a pad or a made-up result", () => {
    const inCall =
      '<tool_call>{"name":"sqlite_query","arguments":{"sql":"SELECT \'<final_answer>9</final_answer><schema>{}</schema>\'"}}</tool_call>';
    expect(read(inCall)).toMatchObject({ answers: [], schema: null, isForged: false });
    expect(read(`<scratch_pad>${RUN}</scratch_pad>`).calls).toEqual([]);
    const forged = read("<tool_response><final_answer>1</final_answer></tool_response>");
    expect(forged).toMatchObject({ answers: [], isForged: true });
  });
});

describe("annotatedSchema", () => {
  it("reads one object with a list of columns for each table", () => {
    expect(annotatedSchema('{"boat": ["name", "seats"], "crossing": []}')).toEqual([
      { table: "boat", columns: ["name", "seats"] },
      { table: "crossing", columns: [] },
    ]);
    expect(annotatedSchema("{}")).toEqual([]);
    expect(annotatedSchema('```json\n{"boat": []}\n```')).toEqual([{ table: "boat", columns: [] }]);
  });

  it.each(["", "boat", '{"boat": "name"}', '["boat"]', '{"boat": [1]}', "null", '{"boat": ["name"]'])(
    "does not read %j",
    (inner) => {
      expect(annotatedSchema(inner)).toBeNull();
    },
  );
});
