import type { ColumnProfile, InferredForeignKey } from "../../core/database-profile.ts";
import type { SearchRequest } from "../../core/database-profiler.ts";
import { COLUMN_QUESTIONS, KEY_QUESTIONS } from "./database-profiler-facts.ts";

export type QuestionedDatabase = "superhero" | "student_club";

/** `table.column` of a value and the value. */
export type ExpectedValue = readonly [place: string, value: string];

/** What a person looks for, and what they find with `LIKE` and a look at the word borders. */
export interface SearchQuestion {
  readonly kind: "search";
  readonly database: QuestionedDatabase;
  readonly text: string;
  readonly matcher: SearchRequest["matcher"];
  readonly table?: string;
  readonly column?: string;
  /** The first value found. */
  readonly best?: ExpectedValue;
  /** Values found, at any place. */
  readonly values?: readonly ExpectedValue[];
  /** Exactly these values are found. */
  readonly only?: readonly ExpectedValue[];
  /** The first name found: `table` or `table.column`. */
  readonly bestName?: string;
  /** Names found, at any place. */
  readonly names?: readonly string[];
}

/** What a person reads off `count(*)`, `count(DISTINCT c)`, `typeof(c)`, `min(c)`, `max(c)` and `GROUP BY c`. */
export interface ColumnQuestion {
  readonly kind: "column";
  readonly database: QuestionedDatabase;
  readonly place: string;
  readonly rows: number;
  readonly expected: Partial<Omit<ColumnProfile, "name" | "stored">>;
  /** Types without cells are left out. */
  readonly stored: Partial<ColumnProfile["stored"]>;
}

/** Keys that the data show beyond those that are declared, as `table.column -> table.column`. */
export interface KeyQuestion {
  readonly kind: "keys";
  readonly database: QuestionedDatabase;
  /** Whether the file's own declarations are hidden, so that they have to be found again. */
  readonly hidden: boolean;
  readonly expected: readonly (readonly [key: string, evidence: InferredForeignKey["evidence"]])[];
}

export type ProfilerQuestion = SearchQuestion | ColumnQuestion | KeyQuestion;

type SearchParts = Omit<SearchQuestion, "kind" | "database" | "text" | "matcher">;

function search(
  database: QuestionedDatabase,
  matcher: SearchRequest["matcher"],
  text: string,
  parts: SearchParts,
): SearchQuestion {
  return { kind: "search", database, matcher, text, ...parts };
}

function inColumn(place: string, values: readonly string[]): ExpectedValue[] {
  return values.map((value) => [place, value]);
}

const HERO = "superhero.superhero_name";

const SUPERHERO_SEARCHES: readonly SearchQuestion[] = [
  search("superhero", "trigram", "Spider-Man", { best: [HERO, "Spider-Man"] }),
  search("superhero", "trigram", "spider", {
    values: inColumn(HERO, [
      "Scarlet Spider",
      "Scarlet Spider II",
      "Spider-Carnage",
      "Spider-Girl",
      "Spider-Gwen",
      "Spider-Man",
      "Spider-Woman",
      "Spider-Woman II",
      "Spider-Woman III",
      "Spider-Woman IV",
    ]),
  }),
  search("superhero", "words", "marvel", {
    only: [
      ["publisher.publisher_name", "Marvel Comics"],
      ...inColumn(HERO, ["Captain Marvel", "Captain Marvel II", "Marvel Girl", "Ms Marvel II"]),
    ],
  }),
  search("superhero", "words", "COMICS", {
    only: inColumn("publisher.publisher_name", [
      "DC Comics",
      "Dark Horse Comics",
      "Icon Comics",
      "Image Comics",
      "Marvel Comics",
    ]),
  }),
  search("superhero", "trigram", "Peter Parker", {
    values: [["superhero.full_name", "Peter Benjamin Parker"]],
  }),
  search("superhero", "trigram", "x-ray", { best: ["superpower.power_name", "Vision - X-Ray"] }),
  search("superhero", "trigram", "Kriptonian", { best: ["race.race", "Kryptonian"] }),
  search("superhero", "trigram", "Strenght", { values: [["attribute.attribute_name", "Strength"]] }),
  search("superhero", "trigram", "N/A", {
    only: [
      ["alignment.alignment", "N/A"],
      ["gender.gender", "N/A"],
    ],
  }),
  search("superhero", "trigram", "blue", {
    column: "COLOUR",
    only: inColumn("colour.colour", ["Black/Blue", "Blue", "Blue/White", "Green/Blue", "Yellow/Blue"]),
  }),
  search("superhero", "trigram", "Blue Beetle II", { best: [HERO, "Blue Beetle II"] }),
  search("superhero", "words", "No", { only: [["colour.colour", "No Colour"]] }),
  search("superhero", "trigram", "O'Brian\" OR NEAR(text) -- *", {
    values: inColumn("superhero.full_name", ["Luke O'Brian", "Patrick O'Brian"]),
  }),
  search("superhero", "trigram", "qqzzxxkk", { only: [], names: [] }),
  search("superhero", "words", "Which heroes can breathe underwater?", {
    values: [
      ["superpower.power_name", "Underwater breathing"],
      ["publisher.publisher_name", "NBC - Heroes"],
    ],
  }),
  search("superhero", "trigram", "superpower", { bestName: "superpower" }),
  search("superhero", "words", "heightCm", { bestName: "superhero.height_cm" }),
  search("superhero", "trigram", "eye colour", {
    bestName: "superhero.eye_colour_id",
    names: ["colour", "superhero.hair_colour_id", "superhero.skin_colour_id"],
  }),
];

const CLUB_SEARCHES: readonly SearchQuestion[] = [
  search("student_club", "trigram", "O'Gallagher", {
    best: ["member.last_name", "O'Gallagher"],
    values: [["member.email", "adela.o'gallagher@lpu.edu"]],
  }),
  search("student_club", "trigram", "Illinois", {
    best: ["zip_code.state", "Illinois"],
    values: [["zip_code.city", "Illinois City"]],
  }),
  search("student_club", "trigram", "Ilinois", { values: [["zip_code.state", "Illinois"]] }),
  search("student_club", "trigram", "IL", { column: "short_state", best: ["zip_code.short_state", "IL"] }),
  search("student_club", "words", "Springfield", {
    best: ["zip_code.city", "Springfield"],
    only: inColumn("zip_code.city", [
      "East Springfield",
      "New Springfield",
      "North Springfield",
      "Springfield",
      "Springfield Center",
      "Springfield Gardens",
      "West Springfield",
    ]),
  }),
  search("student_club", "words", "sanders", {
    only: [
      ["zip_code.city", "Sanders"],
      ["zip_code.county", "Sanders County"],
      ["member.last_name", "Sanders"],
      ["member.email", "angela.sanders@lpu.edu"],
    ],
  }),
  search("student_club", "trigram", "MU 215", { best: ["event.location", "MU 215"] }),
  search("student_club", "trigram", "954-555-6240", { best: ["member.phone", "954-555-6240"] }),
  search("student_club", "trigram", "t-shirt", {
    best: ["budget.category", "Club T-Shirts"],
    names: ["member.t_shirt_size"],
  }),
  search("student_club", "words", "pizza", { only: [["expense.expense_description", "Pizza"]] }),
  search("student_club", "trigram", "College of Education & Human Services", {
    best: ["major.college", "College of Education & Human Services"],
  }),
  search("student_club", "trigram", "Women's", {
    values: [
      ["event.event_name", "Women's Lacrosse"],
      ["event.event_name", "Women's Soccer"],
      ["event.notes", "Attend Women's soccer game as a group."],
    ],
  }),
  search("student_club", "words", "cookies", {
    only: inColumn("expense.expense_description", [
      "Water, Cookies",
      "Water, chips, cookies",
      "Water, cookies, chips",
    ]),
  }),
  search("student_club", "trigram", "Tresurer", { best: ["member.position", "Treasurer"] }),
  search("student_club", "trigram", "link to member", {
    names: ["attendance.link_to_member", "expense.link_to_member", "income.link_to_member"],
  }),
  search("student_club", "trigram", "Physics", {
    table: "Major",
    values: [
      ["major.major_name", "Physics"],
      ["major.major_name", "Physics Teaching"],
      ["major.department", "Physics Department"],
    ],
  }),
];

/**
 * Questions on two databases of BIRD's dev split. The expected values come from `sqlite3` on the files, never
 * from the code under test.
 */
export const PROFILER_QUESTIONS: readonly ProfilerQuestion[] = [
  ...SUPERHERO_SEARCHES,
  ...CLUB_SEARCHES,
  ...COLUMN_QUESTIONS,
  ...KEY_QUESTIONS,
];
