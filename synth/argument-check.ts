import type { Json } from "../core/key.ts";
import type { ToolSchema } from "../core/model.ts";
import { oneLineText, shortenText } from "./one-line-text.ts";

type JsonObject = Readonly<Record<string, Json>>;

/**
 * Holds a call's arguments against the tool's flat JSON Schema: names, required ones, types, the items of
 * lists, and listed values. Gives the first thing that is wrong in words for the agent, or `null`.
 */
export function argumentProblem(given: JsonObject, { parameters }: ToolSchema): string | null {
  const properties = objectIn(parameters["properties"]);
  const required = parameters["required"];
  for (const name of Array.isArray(required) ? required : []) {
    if (typeof name !== "string" || Object.hasOwn(given, name)) continue;
    return `the argument ${name} is missing`;
  }
  for (const [name, value] of Object.entries(given)) {
    if (!Object.hasOwn(properties, name)) {
      if (parameters["additionalProperties"] !== false) continue;
      const known = Object.keys(properties).join(", ");
      return `there is no argument ${shown(name)}, expected ${known === "" ? "none" : known}`;
    }
    const problem = valueProblem(value, objectIn(properties[name]));
    if (problem !== null) return `the argument ${name} ${problem}`;
  }
  return null;
}

function valueProblem(value: Json, schema: JsonObject): string | null {
  const listed = schema["enum"];
  if (Array.isArray(listed) && !listed.includes(value)) {
    return `is ${shown(value)}, expected one of ${listed.map((item) => JSON.stringify(item)).join(", ")}`;
  }
  const type = schema["type"];
  const types = (Array.isArray(type) ? type : [type]).filter((name) => typeof name === "string");
  if (types.length > 0 && !types.some((name) => isOfType(value, name))) {
    return `is ${shown(value)}, expected ${types.map((name) => TYPE_NAMES[name] ?? name).join(" or ")}`;
  }
  if (!Array.isArray(value)) return null;
  const items = objectIn(schema["items"]);
  for (const item of value) {
    const problem = valueProblem(item as Json, items);
    if (problem !== null) return `has an item that ${problem}`;
  }
  return null;
}

const TYPE_NAMES: Readonly<Record<string, string>> = {
  string: "a text",
  integer: "a whole number",
  number: "a number",
  boolean: "true or false",
  array: "a list",
  object: "an object",
};

function isOfType(value: Json, type: string): boolean {
  if (type === "null") return value === null;
  if (type === "array") return Array.isArray(value);
  if (type === "integer") return Number.isSafeInteger(value);
  if (type === "object") return typeof value === "object" && value !== null && !Array.isArray(value);
  return typeof value === type;
}

function objectIn(value: Json | undefined): JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as JsonObject) : {};
}

function shown(value: Json): string {
  return shortenText(oneLineText(JSON.stringify(value)), 80);
}
