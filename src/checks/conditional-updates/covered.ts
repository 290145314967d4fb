import type { CoveredRisk } from "../../model/check.ts";

/** The check that covers a risk; one that decides it comes before one that only gives a notice. */
export function findCovered(name: string, coveredRisks: readonly CoveredRisk[]): CoveredRisk | undefined {
  const matching = coveredRisks.filter((covered) => matchesName(covered.name, name));
  return matching.find(({ risk }) => risk !== undefined) ?? matching[0];
}

/** A family of names ends with a placeholder: "ClusterOperatorUpgradeable-*", "AdminAck-<gate>". */
function matchesName(pattern: string, name: string): boolean {
  const family = /^(.+-)(?:\*|<\w+>)$/.exec(pattern)?.[1];
  return family === undefined ? pattern === name : name.startsWith(family);
}
