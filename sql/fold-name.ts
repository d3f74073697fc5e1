/** A name as SQLite compares it: without regard to the case of ASCII letters. */
export function foldName(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}
