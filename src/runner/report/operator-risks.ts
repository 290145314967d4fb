import type { Check, Finding } from "../../model/check.ts";
import { compareText } from "../../model/json.ts";
import { joinNames, sortNames } from "../../model/names.ts";
import { CONDITIONAL_UPDATE_RISK, getOperatorRiskName } from "../../model/operator-risks.ts";
import type { Outcome } from "../../model/report.ts";
import type { ListedRisk } from "../facts/listed-risks.ts";

/** The outcome without the findings that ClusterVersion shows as risks of this update; a notice says where. `listed`: those of the target. */
export function omitOperatorRisks(check: Check, outcome: Outcome, listed: readonly ListedRisk[]): Outcome {
  if (listed.length === 0 || (outcome.kind !== "risk" && outcome.kind !== "unknown")) return outcome;
  const shown = new Map(
    outcome.findings.flatMap((finding) => {
      const risk = findListedRisk(check, finding, listed);
      return risk ? [[finding, risk] as const] : [];
    }),
  );
  if (shown.size === 0) return outcome;
  const findings = outcome.findings.filter((finding) => !shown.has(finding));
  const notices = [...outcome.notices, ...buildOmissionNotices(shown)].toSorted(compareText);
  return outcome.kind === "risk" && findings.length === 0
    ? { kind: "clear", notices }
    : { ...outcome, findings, notices };
}

function findListedRisk(check: Check, finding: Finding, listed: readonly ListedRisk[]): ListedRisk | undefined {
  const liftedAs = check.risks.find(({ name }) => name === finding.risk)?.knownAs?.liftedAs;
  const name = liftedAs === undefined ? undefined : getOperatorRiskName(liftedAs, finding);
  // A finding that is the listed risk itself needs no object in common with its alert.
  const isItself = liftedAs === CONDITIONAL_UPDATE_RISK;
  return listed.find((risk) => risk.name === name && (isItself || isAbout(risk, finding)));
}

/** An alert for objects names them as "Namespace=demo, PodDisruptionBudget=web."; another object's alert proves nothing. */
function isAbout({ about }: ListedRisk, { object }: Finding): boolean {
  if (!/\bNamespace=\S*, \w+=/.test(about)) return true;
  return about.includes(`Namespace=${object.namespace ?? ""}, ${object.kind}=${object.name}.`);
}

function buildOmissionNotices(shown: ReadonlyMap<Finding, ListedRisk>): readonly string[] {
  return [...Map.groupBy(shown, ([{ risk }]) => risk)].map(([risk, group]) => {
    const [count, verb, pronoun] =
      group.length === 1 ? ["1 finding", "is", "it"] : [`${group.length} findings`, "are", "them"];
    return `${count} of ${risk} ${verb} omitted: the cluster-version operator reports ${pronoun} itself (${formatPlace(group.map(([, listed]) => listed))}).`;
  });
}

function formatPlace(listed: readonly ListedRisk[]): string {
  const names = sortNames(listed.map(({ name }) => name));
  const what = names.length === 1 ? "risk" : "risks";
  return `ClusterVersion version, status.conditionalUpdates of ${listed[0]?.version ?? ""}, ${what} ${joinNames(names)}`;
}
