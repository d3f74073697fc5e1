/** A name in double quotes, as SQLite reads any name. */
export function quotedName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** A text as an SQL literal. */
export function quotedText(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
