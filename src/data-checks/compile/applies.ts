import type { AppliesDefinition } from "../definition.ts";
import type { DocumentPlace, PlacedFault } from "../fault.ts";

const PLACE: DocumentPlace = ["spec", "applies"];

/** What the fields of `applies` are together. */
export function findAppliesFaults(applies: AppliesDefinition): readonly PlacedFault[] {
  const { crosses, updates, leavesMinor, versions, knownUpTo } = applies;
  const [, ...more] = Object.entries({ crosses, updates, leavesMinor }).filter(([, value]) => value !== undefined);
  const repeated = more.map(([field]): PlacedFault => ({
    severity: "error",
    place: [...PLACE, field],
    isKey: true,
    message: "only one of crosses, updates and leavesMinor says which updates it applies to",
    hint: "leave out the others",
  }));
  if (versions === undefined || knownUpTo !== undefined) return repeated;
  const message = "a table of versions needs knownUpTo";
  const hint = 'give the last minor that the table covers: knownUpTo: "4.21"';
  return [...repeated, { severity: "error", place: [...PLACE, "versions"], isKey: true, message, hint }];
}
