import { type AlertRisk, findAlertRisks } from "../../../lift/alert-risks.ts";
import { joinNames } from "../../../model/names.ts";
import { toLine } from "../../../model/visible-text.ts";
import type { StatusInput } from "./status.ts";

const EXPLANATION =
  "The operator turns each alert labelled openShiftUpdatePrecheck into a risk of every offered update, because alerts name no target.";

/** Which updates besides the preflight's target have a risk, because the operator makes it of an alert. */
export function formatAlertRisks({ clusterVersion }: StatusInput): string {
  const groups = Map.groupBy(
    findAlertRisks(clusterVersion).filter(({ otherUpdates }) => otherUpdates.length > 0),
    ({ target, otherUpdates }) => [target, ...otherUpdates].join(" "),
  );
  return [...groups.values()].map((risks) => toLine(formatGroup(risks))).join("\n\n");
}

function formatGroup(risks: readonly AlertRisk[]): string {
  const { target = "", otherUpdates = [] } = risks[0] ?? {};
  const names = joinNames(risks.map(({ name }) => name));
  const updates = joinNames(otherUpdates);
  const shown =
    otherUpdates.length === 1 ? `The update to ${updates} also shows` : `The updates to ${updates} also show`;
  return risks.length === 1
    ? `${shown} the risk ${names}, although a preflight of ${target} found it. ${EXPLANATION}`
    : `${shown} the risks ${names}, although a preflight of ${target} found them. ${EXPLANATION}`;
}
