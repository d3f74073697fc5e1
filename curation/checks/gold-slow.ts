import { defineCheck } from "../../core/check.ts";

export default defineCheck({
  id: "gold-slow",
  version: 1,
  title: "the gold takes too long, or gives too much",
  kinds: {
    timeout: {
      severity: "warning",
      confidence: 0.6,
      meaning: "the gold is over its CPU limit, mostly for a join without its condition",
      taxonomy: { wretblad: "3", audit: "gold_timeout" },
    },
    too_large: {
      severity: "warning",
      confidence: 0.5,
      meaning: "the gold gives more rows or bytes than a result may have",
      taxonomy: { wretblad: "3", audit: "gold_timeout" },
    },
    crashed: {
      severity: "warning",
      confidence: 0.5,
      meaning: "the gold twice killed the process that ran it",
      taxonomy: { audit: "gold_timeout" },
    },
  },
  find: ({ execution: { execution } }) => {
    const { status, message, rows } = execution;
    if (status !== "timeout" && status !== "too_large" && status !== "crashed") return [];
    return [{ kind: status, message: `its gold ends as ${status}: ${message}`, evidence: { message, rows } }];
  },
});
