import type { SpiderComponent } from "../../sql/spider-exact-match.ts";

/** A gold and a prediction over the schema of flights, with the verdict and the components that are 0. */
export type SpiderMatchCase = readonly [
  why: string,
  gold: string,
  predicted: string,
  exact: boolean | null,
  failing: readonly SpiderComponent[],
];

export const AIRPORT = "SELECT city FROM airport";
export const FLIGHT = "SELECT price FROM flight";
