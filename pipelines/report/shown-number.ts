/** How a number is shown. `percent`: of 1, with one decimal. `money`: US dollars. */
export type NumberForm = "count" | "percent" | "decimal" | "money" | "plain";

/** A number for a person; `–` for none. Thousands are parted by a comma wherever it runs. */
export function showNumber(value: number | null, form: NumberForm): string {
  if (value === null) return "–";
  switch (form) {
    case "count":
      return grouped(value.toFixed(0));
    case "percent":
      return (value * 100).toFixed(1);
    case "money":
      return value !== 0 && Math.abs(value) < 0.01
        ? `$${value.toPrecision(2)}`
        : `$${grouped(value.toFixed(2))}`;
    case "decimal":
      return Math.abs(value) >= 100 ? grouped(value.toFixed(0)) : value.toFixed(2);
    default:
      return Number.isInteger(value) ? grouped(String(value)) : String(Number(value.toPrecision(4)));
  }
}

function grouped(digits: string): string {
  const [whole = "", part] = digits.split(".");
  const parted = whole.replaceAll(/\B(?=(\d{3})+$)/g, ",");
  return part === undefined ? parted : `${parted}.${part}`;
}
