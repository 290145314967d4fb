import { getClusterUpdates, nameOf, risksOf, versionOf } from "../../../lift/objects/cluster-updates.ts";
import type { RetainedResult } from "../../../lift/progress/retained-result.ts";
import { listAt, textAt } from "../../../model/json.ts";
import { parseDataKey } from "./document.ts";
import type { StatusInput } from "./status.ts";

/** The risks that ClusterVersion does not show, and why. */
export type HiddenRisks = { readonly names: readonly string[]; readonly why: string };

/** Undefined if ClusterVersion shows all risks of the result. */
export function findHiddenRisks(input: StatusInput, retained: RetainedResult): HiddenRisks | undefined {
  const update = getClusterUpdates(input.clusterVersion).conditional.find((one) => versionOf(one) === retained.target);
  const shown = new Set(update === undefined ? [] : risksOf(update).map(nameOf));
  const names = retained.risks.map(nameOf).filter((name) => !shown.has(name));
  return names.length === 0 ? undefined : { names, why: explain(input) };
}

function explain({ result, operator, controllerPresence }: StatusInput): string {
  const problems = listAt(parseDataKey(result, "proposal.json"), "problems").flatMap(
    (problem) => textAt(problem, "message") ?? [],
  );
  if (problems.length > 0) return problems.join(" ");
  if (controllerPresence === "no") return "No preflight controller runs.";
  switch (operator.kind) {
    case "absent":
      return "The controller runs without --write-status, or has not written them yet.";
    case "unknown":
      return "A cluster-version operator that does not read preflight results may manage its status, or the controller runs without --write-status.";
    case "running":
      return operator.canServeMode
        ? "The cluster-version operator has not published them yet."
        : "The running cluster-version operator manages its status and does not read preflight results.";
  }
}
