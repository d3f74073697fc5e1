/** The parts of a question that two releases of a dataset can disagree on. */
export interface ReleaseRow {
  /** The dataset's own name of the question; `i:t` for turn t of dialogue i; `null` where the file gives none. */
  readonly id: string | null;
  /** 0-based place among the questions of its release. */
  readonly position: number;
  readonly databaseId: string | null;
  readonly question: string;
  /** `null` where the file has no such column. */
  readonly evidence: string | null;
  /** Accepted golds; `null` where the file has no such column. */
  readonly gold: readonly string[] | null;
}

/** Column names by what they hold, as they read without case and signs; the first that a row has counts. */
const COLUMNS = {
  id: ["questionid", "id", "sourceid", "exampleid", "idx"],
  databaseId: ["dbid", "databaseid", "database", "db"],
  question: ["question", "originalquestion", "utterance", "nlquestion", "spidersynquestion"],
  gold: ["sql", "query", "gold", "goldsql", "originalgoldsql", "originalsql", "goldquery"],
  evidence: ["evidence", "externalknowledge", "hint"],
} as const;

/** Columns of a review sheet that stand beside the original ones; an empty cell leaves the original. */
const CORRECTED = {
  question: ["suggestedfixedquestion", "correctedquestion", "fixedquestion", "newquestion"],
  gold: ["suggestedfixedgoldsql", "correctedgoldsql", "correctedsql", "fixedsql", "correctedgold", "newsql"],
  evidence: ["correctedevidence", "fixedevidence", "newevidence"],
} as const;

/** Which side of a comparison a file stands on: a review sheet has both in one row. */
export type ReleaseSide = "before" | "after";

/**
 * What an object of a questions file, or a row of a table by its column names, says; `null` when it has no question.
 * On the side `after`, a filled column of corrections stands in the place of the original.
 */
export function releaseRowOf(
  fields: Readonly<Record<string, unknown>>,
  position: number,
  side: ReleaseSide,
): ReleaseRow | null {
  const named = new Map(Object.entries(fields).map(([name, value]) => [plainName(name), value]));
  const text = (column: keyof typeof CORRECTED): string | null => {
    const corrected = side === "after" ? firstText(named, CORRECTED[column]) : null;
    return corrected !== null && corrected.trim() !== "" ? corrected : firstText(named, COLUMNS[column]);
  };
  const question = text("question");
  if (question === null) return null;
  return {
    id: blankAsNull(firstText(named, COLUMNS.id)),
    position,
    databaseId: blankAsNull(firstText(named, COLUMNS.databaseId)),
    question,
    evidence: text("evidence"),
    gold: goldsOf(named, text("gold")),
  };
}

/** The members of a dialogue's object as one row a turn; `null` for an object that is no dialogue. */
export function dialogueFieldsOf(
  fields: Readonly<Record<string, unknown>>,
  index: number,
): Record<string, unknown>[] | null {
  const { interaction } = fields;
  if (!Array.isArray(interaction)) return null;
  return interaction.map((turn: unknown, place) => {
    const { utterance, query } = isObject(turn) ? turn : {};
    return { id: `${index}:${place}`, db_id: fields["database_id"], question: utterance, query };
  });
}

/** Whether a JSON value is an object. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function plainName(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9]/g, "");
}

function firstText(named: ReadonlyMap<string, unknown>, names: readonly string[]): string | null {
  for (const name of names) {
    const value = named.get(name);
    if (typeof value === "string") return value;
    if (typeof value === "number") return String(value);
  }
  return null;
}

function goldsOf(named: ReadonlyMap<string, unknown>, text: string | null): readonly string[] | null {
  if (text !== null) return text.trim() === "" ? [] : [text];
  for (const name of COLUMNS.gold) {
    const value = named.get(name);
    if (Array.isArray(value)) return value.filter((one): one is string => typeof one === "string");
  }
  return null;
}

function blankAsNull(text: string | null): string | null {
  return text === null || text.trim() === "" ? null : text.trim();
}
