/** What Python takes for white space in `str.split`, `str.strip` and `\s`: the inside of a character class. */
export const PYTHON_WHITE_SPACE =
  "\\t-\\r\\x1c-\\x20\\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000";
const BLANK = new RegExp(`^[${PYTHON_WHITE_SPACE}]*$`, "u");
const RUN = new RegExp(`[${PYTHON_WHITE_SPACE}]+`, "u");
const SPACE_AT = new RegExp(`[${PYTHON_WHITE_SPACE}]`, "yu");

/** Python's notation switches to an exponent below the first and from the second power of ten on. */
const SMALLEST_FIXED = -4;
const SMALLEST_LARGE = 16;

const APOSTROPHE = 0x27;
const QUOTE = 0x22;
const ESCAPES: ReadonlyMap<number, string> = new Map([
  [0x09, "\\t"],
  [0x0a, "\\n"],
  [0x0d, "\\r"],
  [0x5c, "\\\\"],
]);

/** Whether a text is empty or nothing but what Python takes for white space. */
export function isPythonBlank(text: string): boolean {
  return BLANK.test(text);
}

/** Whether the character at an offset is white space for Python. */
export function isPythonSpaceAt(text: string, offset: number): boolean {
  SPACE_AT.lastIndex = offset;
  return SPACE_AT.test(text);
}

/** What Python's `text.split()` gives. */
export function pythonWords(text: string): string[] {
  return text.split(RUN).filter((word) => word !== "");
}

/** What Python's `text.strip()` gives. */
export function pythonStrip(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && isPythonSpaceAt(text, start)) start += 1;
  while (end > start && isPythonSpaceAt(text, end - 1)) end -= 1;
  return text.slice(start, end);
}

/** What Python's `str(float)` gives: the shortest digits that stand for the number, `1e+16`, `1e-05`, `100.0`, `inf`. */
export function pythonFloatText(value: number): string {
  if (Number.isNaN(value)) return "nan";
  if (!Number.isFinite(value)) return value > 0 ? "inf" : "-inf";
  const sign = value < 0 || Object.is(value, -0) ? "-" : "";
  const [mantissa = "", power = "0"] = Math.abs(value).toExponential().split("e");
  const digits = mantissa.replace(".", "");
  const exponent = Number(power);
  if (exponent < SMALLEST_FIXED || exponent >= SMALLEST_LARGE) {
    const size = String(Math.abs(exponent)).padStart(2, "0");
    return `${sign}${mantissa}e${exponent < 0 ? "-" : "+"}${size}`;
  }
  if (exponent < 0) return `${sign}0.${"0".repeat(-exponent - 1)}${digits}`;
  const whole = digits.slice(0, exponent + 1).padEnd(exponent + 1, "0");
  return `${sign}${whole}.${digits.slice(exponent + 1) || "0"}`;
}

/** What Python's `str(bytes)` gives: `b'a\x00\n'`, in double quotes where there are apostrophes and no double quote. */
export function pythonBytesText(bytes: Uint8Array): string {
  const quote = bytes.includes(APOSTROPHE) && !bytes.includes(QUOTE) ? '"' : "'";
  let text = `b${quote}`;
  for (const byte of bytes) text += byteText(byte, quote);
  return text + quote;
}

function byteText(byte: number, quote: string): string {
  const escape = ESCAPES.get(byte);
  if (escape !== undefined) return escape;
  if (byte < 0x20 || byte > 0x7e) return `\\x${byte.toString(16).padStart(2, "0")}`;
  const character = String.fromCharCode(byte);
  return character === quote ? `\\${character}` : character;
}

const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** What Python's `bytes.decode("utf-8", errors="ignore")` gives: the text without the bytes that are not part of it. */
export function decodeWithoutErrors(bytes: Uint8Array): string {
  const valid = new Uint8Array(bytes.length);
  let size = 0;
  let offset = 0;
  while (offset < bytes.length) {
    const length = sequenceLength(bytes, offset);
    valid.set(bytes.subarray(offset, offset + length), size);
    size += length;
    offset += Math.max(1, length);
  }
  return decoder.decode(valid.subarray(0, size));
}

/** How many bytes the character at an offset has; 0 where there is none. */
function sequenceLength(bytes: Uint8Array, offset: number): number {
  const first = bytes[offset] as number;
  if (first < 0x80) return 1;
  if (first < 0xc2 || first > 0xf4) return 0;
  const length = first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
  const second = bytes[offset + 1] ?? 0;
  const lowest = first === 0xe0 ? 0xa0 : first === 0xf0 ? 0x90 : 0x80;
  const highest = first === 0xed ? 0x9f : first === 0xf4 ? 0x8f : 0xbf;
  if (second < lowest || second > highest) return 0;
  for (let index = 2; index < length; index += 1) {
    const next = bytes[offset + index] ?? 0;
    if (next < 0x80 || next > 0xbf) return 0;
  }
  return length;
}
