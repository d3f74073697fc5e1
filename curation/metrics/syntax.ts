import { defineMetric } from "../../core/metric.ts";
import { scored, unscored } from "../../core/verdict.ts";

/**
 * SQL-Trail's syntax validity: 1 when the predicted statement is a query that the database accepts, whatever
 * its rows, else 0. The paper does not print its definition. Not in the paper:
 *
 * - 1: it ran, or ran into a limit on time, rows or bytes, for it had been accepted by then.
 * - 0: it does not parse, names what does not exist, or is refused (a write, a second statement). A query
 *   that fails only at run time, such as an overflow of `sum`, ends as one that does not parse does, and
 *   scores 0 too: it gives no result on this database. A blank text is no query.
 * - Unscored, `gold_error`: neither the prediction nor the gold ran, so the database may be what fails; and
 *   `prediction_crashed`: its process died.
 *
 * @paper SQL-Trail section 3, auxiliary shaping rewards
 */
export default defineMetric({
  id: "syntax",
  version: 1,
  needs: { rows: false },
  deviations: ["a query that fails at run time counts as invalid"],
  judge({ gold, predicted }) {
    const { status, columns, message } = predicted.execution;
    if (status === "crashed") return unscored("prediction_crashed", message);
    if (status !== "error" && status !== "denied") return scored(columns === 0 && status === "empty" ? 0 : 1);
    if (gold.execution.status === "error") return unscored("gold_error", gold.execution.message);
    return scored(0);
  },
});
