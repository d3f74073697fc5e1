/**
 * How many tables are joined in a statement whose result cannot have more rows than their product, judged
 * by its text; 0 when the text does not show it. Only a plain SELECT qualifies: tables by name with JOIN
 * between them, no subquery, function or comma in FROM, no compound.
 */
export function joinedTables(sql: string): number {
  if (/\b(?:union|values|with)\b|--|\/\*/i.test(sql)) return 0;
  const match =
    /^\s*select\b([^]*?)\bfrom\b([^]*?)(?:\b(?:where|group|having|order|limit|window)\b|;|$)/i.exec(sql);
  if (match === null) return 0;
  const [, columns = "", from = ""] = match;
  if (/\bselect\b|\bfrom\b/i.test(columns) || /[,()]/.test(from)) return 0;
  return (from.match(/\bjoin\b/gi)?.length ?? 0) + 1;
}
