import type { Context, Finding, Judgement } from "../../model/check.ts";
import { sortNames, summarizeNames } from "../../model/names.ts";
import { type PendingUpdate, findPendingUpdate } from "../shared/pending-update.ts";
import { formatRef } from "../../model/resource.ts";
import { formatMinor, getMinorOrdinal } from "../../model/version.ts";
import type { InstalledOperator } from "./installed-operator.ts";
import { risks } from "./risks.ts";

export function judgeOperators(
  operators: readonly InstalledOperator[],
  pending: readonly PendingUpdate[],
  context: Context,
): Judgement {
  return {
    findings: operators.flatMap((operator) => buildFindings(operator, pending, context)),
    notices: operators.flatMap(buildInvalidNotices),
  };
}

function buildFindings(
  operator: InstalledOperator,
  pending: readonly PendingUpdate[],
  context: Context,
): readonly Finding[] {
  const { last, object } = operator;
  if (last.kind === "invalid") return operator.isReadByOlm ? [buildInvalidFinding(operator, last.why)] : [];
  if (last.place >= getMinorOrdinal(context.target)) return [];
  const message = `It declares support up to OpenShift ${last.text}, and the target is ${context.target.text}.`;
  const detail = { maxOpenShiftVersion: last.text };
  const text = `${message}${formatLeaving(operator)}${formatPending(operator, pending)}`;
  return [{ risk: getRiskName(last.place, operator, context), object, message: text, detail }];
}

function formatPending({ object }: InstalledOperator, pending: readonly PendingUpdate[]): string {
  const update = findPendingUpdate(object, pending);
  if (update === undefined) return "";
  const { isWaitingForApproval, installPlan, namespace, nextCsv } = update;
  if (!isWaitingForApproval) return ` Its update to ${nextCsv} is pending.`;
  return ` Its update to ${nextCsv} waits for approval${installPlan === "" ? "" : ` (InstallPlan ${namespace}/${installPlan})`}.`;
}

/** OLM itself checks only the release after the running one. */
function getRiskName(place: number, { isReadByOlm }: InstalledOperator, { source }: Context): string {
  const isBlockedByOlm = isReadByOlm && place <= getMinorOrdinal(source);
  return isBlockedByOlm ? risks.OperatorIncompatibleWithNextMinor.name : risks.OperatorIncompatibleWithTarget.name;
}

function buildInvalidFinding(operator: InstalledOperator, why: string): Finding {
  const message = `Its property olm.maxOpenShiftVersion can't be parsed: ${why}.`;
  return {
    risk: risks.OperatorMaxOpenShiftVersionInvalid.name,
    object: operator.object,
    message: message + formatLeaving(operator),
  };
}

function formatLeaving({ leaving }: InstalledOperator): string {
  return leaving === undefined ? "" : ` It is being ${leaving}: OLM counts it until it is deleted.`;
}

function buildInvalidNotices({ last, object, isReadByOlm }: InstalledOperator): readonly string[] {
  if (last.kind !== "invalid" || isReadByOlm) return [];
  return [
    `${formatRef(object)} may declare its last OpenShift release in the annotation olm.properties, which can't be parsed (${last.why}). OLM ignores that annotation, so it blocks no update.`,
  ];
}

/** The limits of ClusterExtensions are in Secrets, which only OLM reads. */
export function buildExtensionNotices(names: readonly string[], { source, target }: Context): readonly string[] {
  if (names.length === 0 || getMinorOrdinal(target) - getMinorOrdinal(source) < 2) return [];
  return [
    `ClusterExtensions may declare a last release that they support, which only OLM can read: ${summarizeNames(names)}. The ClusterOperator olm reports those that support no release after ${formatMinor(source)}; for ${formatMinor(target)}, ask the vendor of each.`,
  ];
}

/** Operators bring checks, which run only on request. */
export function buildChecksNotices(packages: readonly string[], { special }: Context): readonly string[] {
  if (packages.length === 0 || special.runsOperatorChecks === true) return [];
  const names = summarizeNames(sortNames(packages));
  return [
    `Checks that installed operators bring did not run: ${names}. To run them, add --checks-from payload,operators.`,
  ];
}
