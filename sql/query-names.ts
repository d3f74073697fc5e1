import type { DatabaseSchema } from "../core/database.ts";
import type { QueryFrame, QueryOutline, QueryScope, QuerySource } from "./query-parts.ts";
import { writtenName } from "./reserved-words.ts";

interface NamedSource {
  /** How the source is called in normalised texts, whatever its alias. */
  readonly label: string;
  /** Its columns in lower case; `null` where they are not known. */
  readonly columns: ReadonlySet<string> | null;
}

interface ScopeNames {
  readonly sources: readonly NamedSource[];
  readonly byQualifier: ReadonlyMap<string, NamedSource>;
  readonly labels: ReadonlySet<string>;
}

/**
 * What the names of a query stand for. A table is called by its name; its second use in one FROM by `name#2`. Common
 * table expressions and subqueries in FROM are `#1`, `#2`, … in the order of the text. A name of an outer query that
 * an inner source has too gets a `^` for each such source.
 */
export class QueryNames {
  /** Texts of tokens that name a source or a common table expression, by their last token. */
  readonly named = new Map<number, string>();
  /** Tables read that are no common table expressions: lower case, each once, by code unit. */
  readonly tables: readonly string[];
  readonly #schema: ReadonlyMap<string, ReadonlySet<string>> | null;
  readonly #numbers: ReadonlyMap<number, string>;
  readonly #ctes = new Map<QueryFrame, ReadonlyMap<string, number>>();
  readonly #scopes = new Map<QueryScope, ScopeNames>();

  constructor(outline: QueryOutline, schema: DatabaseSchema | null) {
    this.#schema =
      schema &&
      new Map(
        schema.tables.map(({ name, columns }) => [
          name.toLowerCase(),
          new Set(columns.map((column) => column.name.toLowerCase())),
        ]),
      );
    const frames = new Set(outline.scopes.map((scope) => scope.frame));
    this.#numbers = this.#numberUnnamed(outline, frames);
    const tables = new Set<string>();
    for (const scope of outline.scopes) this.#scopes.set(scope, this.#namesOf(scope, tables));
    this.tables = [...tables].sort();
  }

  /** The label of a qualifier: empty for the only source of the scope itself, undefined where it names none. */
  qualifier(scope: QueryScope | null, name: string): string | undefined {
    const folded = name.toLowerCase();
    const inner: ScopeNames[] = [];
    for (let current = scope; current !== null; current = current.outer) {
      const names = this.#scopes.get(current) as ScopeNames;
      const source = names.byQualifier.get(folded);
      if (source !== undefined) return labelled(source, names, inner);
      inner.push(names);
    }
    return undefined;
  }

  /** A column as the normalised text has it, where the schema knows whose it is. */
  column(scope: QueryScope | null, name: string): string | undefined {
    if (this.#schema === null) return undefined;
    const folded = name.toLowerCase();
    const inner: ScopeNames[] = [];
    for (let current = scope; current !== null; current = current.outer) {
      const names = this.#scopes.get(current) as ScopeNames;
      const owner = names.sources.find((source) => source.columns?.has(folded) === true);
      if (owner !== undefined) {
        const label = labelled(owner, names, inner);
        return label === "" ? writtenName(name) : `${label}.${writtenName(name)}`;
      }
      if (names.sources.some((source) => source.columns === null)) return undefined;
      inner.push(names);
    }
    return undefined;
  }

  /** Whether the columns of every source that a name can be looked up in are known. */
  knowsEveryColumn(scope: QueryScope | null): boolean {
    if (this.#schema === null) return false;
    for (let current = scope; current !== null; current = current.outer) {
      const names = this.#scopes.get(current) as ScopeNames;
      if (names.sources.some((source) => source.columns === null)) return false;
    }
    return true;
  }

  /** The token that defines the common table expression a name stands for in a scope. */
  cteOf(scope: QueryScope, name: string): number | undefined {
    const folded = name.toLowerCase();
    for (let frame: QueryFrame | null = scope.frame; frame !== null; frame = frame.outer) {
      const start = this.#ctesOf(frame).get(folded);
      if (start !== undefined) return start;
    }
    return undefined;
  }

  #ctesOf(frame: QueryFrame): ReadonlyMap<string, number> {
    let known = this.#ctes.get(frame);
    if (known === undefined) {
      known = new Map(frame.ctes.map(({ name, start }) => [name.toLowerCase(), start]));
      this.#ctes.set(frame, known);
    }
    return known;
  }

  #numberUnnamed(outline: QueryOutline, frames: ReadonlySet<QueryFrame>): Map<number, string> {
    const starts: number[] = [];
    for (const frame of frames) {
      for (const { start } of frame.ctes) starts.push(start);
    }
    for (const scope of outline.scopes) {
      for (const { kind, start } of scope.sources) if (kind !== "name") starts.push(start);
    }
    starts.sort((left, right) => left - right);
    const numbers = new Map(starts.map((start, index) => [start, `#${index + 1}`]));
    for (const frame of frames) {
      for (const { start } of frame.ctes) this.named.set(start, numbers.get(start) as string);
    }
    return numbers;
  }

  #namesOf(scope: QueryScope, tables: Set<string>): ScopeNames {
    const uses = new Map<string, number>();
    const sources: NamedSource[] = [];
    const byQualifier = new Map<string, NamedSource>();
    for (const source of scope.sources) {
      const { base, columns } = this.#baseOf(scope, source, tables);
      const use = (uses.get(base) ?? 0) + 1;
      uses.set(base, use);
      const named = { label: use === 1 ? base : `${base}#${use}`, columns };
      sources.push(named);
      const qualifier = (source.alias === "" ? source.name : source.alias).toLowerCase();
      if (!byQualifier.has(qualifier)) byQualifier.set(qualifier, named);
      if (source.kind === "name") this.named.set(source.end - 1, base);
    }
    return { sources, byQualifier, labels: new Set(sources.map((source) => source.label)) };
  }

  #baseOf(
    scope: QueryScope,
    source: QuerySource,
    tables: Set<string>,
  ): { readonly base: string; readonly columns: ReadonlySet<string> | null } {
    if (source.kind !== "name") return { base: this.#numbers.get(source.start) as string, columns: null };
    const cte = source.end - source.start === 1 ? this.cteOf(scope, source.name) : undefined;
    if (cte !== undefined) return { base: this.#numbers.get(cte) as string, columns: null };
    const folded = source.name.toLowerCase();
    tables.add(folded);
    return { base: writtenName(source.name), columns: this.#schema?.get(folded) ?? null };
  }
}

function labelled(source: NamedSource, names: ScopeNames, inner: readonly ScopeNames[]): string {
  if (inner.length === 0 && names.sources.length === 1) return "";
  const hiding = inner.filter((one) => one.labels.has(source.label)).length;
  return `${"^".repeat(hiding)}${source.label}`;
}
