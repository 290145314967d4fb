import type { Finding } from "../../model/check.ts";
import { readRisks } from "../shared/risks.ts";
import { summarizeTexts } from "../shared/summaries.ts";
import { MAX_LENGTH, formatReason } from "./cluster-operator.ts";

export const risks = readRisks("cluster-operators", {
  ClusterOperatorNotUpgradeable: { message: { reasons: formatReasons } },
  ClusterOperatorUnhealthy: { message: { faults: formatFaults } },
});

function formatReasons(findings: readonly Finding[]): string {
  return summarizeTexts(
    findings,
    MAX_LENGTH,
    ({ object, detail: { reason = "", message = "" } = {} }, longest) =>
      `${object.name} (${formatReason({ reason, message }, longest)})`,
  );
}

function formatFaults(findings: readonly Finding[]): string {
  return summarizeTexts(findings, MAX_LENGTH, ({ object, detail = {} }, longest) => {
    const { condition, fault = "", reason = "", message = "" } = detail;
    const text = `${object.name} ${fault}`;
    return condition === "" ? text : `${text} (${formatReason({ reason, message }, longest)})`;
  });
}
