import { defineCheck } from "../../core/check.ts";

export default defineCheck({
  id: "same-question",
  version: 1,
  title: "the same question of the same database has another gold elsewhere",
  kinds: {
    other_answer: {
      severity: "warning",
      confidence: 0.4,
      meaning: "two examples ask the same, and their golds give different results",
      taxonomy: { wretblad: "3", kang: "E1", audit: "duplicate_item" },
    },
    repeated: {
      severity: "note",
      confidence: 0.02,
      meaning: "two examples ask the same, and their golds give the same result",
      taxonomy: { audit: "duplicate_item" },
    },
  },
  find: ({ sameQuestion, execution }) => {
    const { digest } = execution.execution;
    const ran = sameQuestion.filter((other) => other.digest !== "" && digest !== "");
    const others = ran.filter((other) => other.digest !== digest);
    if (others.length > 0) {
      const ids = others.map(({ sourceId }) => sourceId);
      const golds = others.slice(0, 3).map(({ gold }) => gold);
      const message = `its question is that of ${ids.slice(0, 3).join(", ")}, whose gold gives another result`;
      return [{ kind: "other_answer", message, evidence: { others: ids, golds } }];
    }
    if (ran.length === 0) return [];
    const ids = ran.map(({ sourceId }) => sourceId);
    const message = `its question is that of ${ids.slice(0, 3).join(", ")}, with the same result`;
    return [{ kind: "repeated", message, evidence: { others: ids } }];
  },
});
