import type { ReportSystem } from "./report-document.ts";

/** Who answered, as rows name it. */
export type SystemName = Omit<ReportSystem, "label">;

/** What tells systems apart. */
export function systemKey({ model, setting, round }: SystemName): string {
  return JSON.stringify([model.name, model.revision, setting, round]);
}

/**
 * Labels by key: model and setting, with the revision or the round only where another system differs in nothing else.
 */
export function systemLabels(systems: readonly SystemName[]): ReadonlyMap<string, string> {
  const several = (part: (system: SystemName) => string | number): boolean =>
    new Set(systems.map(part)).size > 1;
  const isNamed = several((system) => system.model.name);
  const hasRevisions =
    new Set(systems.map(({ model }) => JSON.stringify(model))).size >
    new Set(systems.map(({ model }) => model.name)).size;
  const hasSettings = several((system) => system.setting);
  const hasRounds = several((system) => system.round);
  return new Map(
    systems.map((system) => {
      const { model, setting, round } = system;
      const parts = [
        ...(isNamed || !hasSettings || hasRevisions ? [model.name] : []),
        ...(hasRevisions ? [model.revision.slice(0, 12)] : []),
        ...(hasSettings ? [setting] : []),
        ...(hasRounds ? [`round ${round}`] : []),
      ];
      return [systemKey(system), parts.join(", ")] as const;
    }),
  );
}
