import type { Json } from "../core/key.ts";
import type { ToolSchema } from "../core/model.ts";
import { argumentProblem } from "./argument-check.ts";

/** What was asked for, or in half a sentence why it is not there. */
export type Checked<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly problem: string };

/** An argument of a tool: what its schema tells a model, and what a call is held against. */
export interface ArgumentShape {
  /** `text` is a string that is not blank, `texts` a list of them that is not empty. */
  readonly kind: "text" | "texts";
  readonly isRequired: boolean;
  readonly description: string;
}
export type ArgumentShapes = Readonly<Record<string, ArgumentShape>>;

type ArgumentValue<S extends ArgumentShape> =
  | (S["kind"] extends "text" ? string : readonly string[])
  | (S["isRequired"] extends true ? never : null);

/** The values of a call by name; an optional one that is left out is `null`. */
export type ArgumentValues<S extends ArgumentShapes> = { readonly [Name in keyof S]: ArgumentValue<S[Name]> };

/** The arguments as the JSON Schema of an object that takes no others, in the order of the shapes. */
export function argumentSchema(shapes: ArgumentShapes): ToolSchema["parameters"] {
  const properties = Object.entries(shapes).map(([name, { kind, description }]) => {
    const type = kind === "text" ? { type: "string" } : { type: "array", items: { type: "string" } };
    return [name, { ...type, description }] as const;
  });
  const required = Object.keys(shapes).filter((name) => shapes[name]?.isRequired === true);
  return {
    type: "object",
    properties: Object.fromEntries(properties),
    required,
    additionalProperties: false,
  };
}

/** A call's arguments, held against their shapes. */
export function readArguments<const S extends ArgumentShapes>(
  callArguments: Readonly<Record<string, Json>>,
  shapes: S,
): Checked<ArgumentValues<S>> {
  const problem = argumentProblem(callArguments, {
    name: "",
    description: "",
    parameters: argumentSchema(shapes),
  });
  if (problem !== null) return { ok: false, problem };
  const blank = Object.keys(callArguments).find((name) => isBlank(callArguments[name]));
  if (blank !== undefined) {
    const expected =
      shapes[blank]?.kind === "texts" ? "texts that say something" : "a text that says something";
    return { ok: false, problem: `the argument ${blank} is empty, expected ${expected}` };
  }
  const values = Object.keys(shapes).map((name) => [name, callArguments[name] ?? null] as const);
  return { ok: true, value: Object.fromEntries(values) as ArgumentValues<S> };
}

function isBlank(value: Json | undefined): boolean {
  if (typeof value === "string") return value.trim() === "";
  return Array.isArray(value) && (value.length === 0 || value.some(isBlank));
}
