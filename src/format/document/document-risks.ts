import type { DocumentRisk } from "../../model/document.ts";
import { compareText } from "../../model/json.ts";
import type { Report, ReportRisk } from "../../model/report.ts";
import type { UnfittedRisk } from "./budget.ts";
import { toVisibleText } from "../../model/visible-text.ts";
import { formatTime } from "../../model/time.ts";

const VALIDATION_MESSAGE = "A check of the target release found this on the cluster.";
const PARTIAL_MESSAGE = "A check of the target release could not be completed.";

/** The report's risks that are reported: those of what was not seen can be turned off. */
export function selectReportedRisks({ risks }: Pick<Report, "risks">, hasUnknownRisks = true): readonly ReportRisk[] {
  return risks.filter(({ unknown }) => hasUnknownRisks || !unknown);
}

/** The texts of a report's risks, sorted by name, each name once. */
export function buildRiskTexts(risks: readonly ReportRisk[]): readonly UnfittedRisk[] {
  const byName = new Map(risks.toReversed().map((risk) => [risk.name, risk]));
  return [...byName.values()].toSorted((a, b) => compareText(a.name, b.name)).map(buildRiskText);
}

function buildRiskText({ name, unknown, message, remediation, url }: ReportRisk): UnfittedRisk {
  return { name, unknown, message: toVisibleText(message), remediation: toVisibleText(remediation), url };
}

/** `appliesSince` has the time since which each risk has applied; any other has applied since this report's reads. */
export function buildDocumentRisk(
  riskText: UnfittedRisk,
  report: Report,
  appliesSince: ReadonlyMap<string, string>,
): DocumentRisk {
  return {
    name: riskText.name,
    message: riskText.message,
    url: riskText.url,
    targetVersion: report.target.text,
    matchingRules: [{ type: "Always" }],
    conditions: [
      {
        type: "Applies",
        status: "True",
        reason: riskText.unknown ? "PreflightPartial" : "PreflightValidation",
        message: riskText.unknown ? PARTIAL_MESSAGE : VALIDATION_MESSAGE,
        lastTransitionTime: getEarlier(appliesSince.get(riskText.name), formatTime(report.observedAt)),
      },
    ],
  };
}

/** If the clock was set back, the earlier time must not be in the future. Both have the same fixed form, so text order is time order. */
function getEarlier(appliesSince: string | undefined, now: string): string {
  return appliesSince !== undefined && appliesSince < now ? appliesSince : now;
}
