const DIGITS = "\\d+(?:_\\d+)*";
const INTEGER = new RegExp(`^[+-]?${DIGITS}$`);
const FLOAT = new RegExp(`^[+-]?(?:${DIGITS}(?:\\.(?:${DIGITS})?)?|\\.${DIGITS})(?:e[+-]?${DIGITS})?$`, "i");
const INFINITE = /^([+-]?)inf(?:inity)?$/i;
const NOT_A_NUMBER = /^[+-]?nan$/i;

/** What Python's `int(text)` gives for ASCII text without white space around it, undefined where it raises. */
export function parsePythonInteger(text: string): number | undefined {
  return INTEGER.test(text) ? Number(text.replaceAll("_", "")) : undefined;
}

/** What Python's `float(text)` gives for ASCII text without white space around it, undefined where it raises. */
export function parsePythonFloat(text: string): number | undefined {
  if (FLOAT.test(text)) return Number(text.replaceAll("_", ""));
  const infinite = INFINITE.exec(text);
  if (infinite !== null) return infinite[1] === "-" ? -Infinity : Infinity;
  return NOT_A_NUMBER.test(text) ? Number.NaN : undefined;
}
