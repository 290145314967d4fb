import type { DocumentRisk } from "../model/document.ts";
import { compareText } from "../model/json.ts";
import type { Report, ReportRisk } from "../model/report.ts";
import type { RiskText } from "./budget.ts";
import { toPlainLines } from "./plain-text.ts";
import { formatTime } from "../model/time.ts";

const VALIDATION_MESSAGE = "A check of the target release found this on the cluster.";
const PARTIAL_MESSAGE = "A check of the target release could not look at all that it needs.";

/** A report's risks as notes, sorted by name; a name stands once. */
export function buildRiskTexts(risks: readonly ReportRisk[]): readonly RiskText[] {
  const byName = new Map(risks.toReversed().map((risk) => [risk.name, risk]));
  return [...byName.values()].toSorted((a, b) => compareText(a.name, b.name)).map(buildRiskText);
}

function buildRiskText({ name, unknown, message, remediation, url }: ReportRisk): RiskText {
  return { name, unknown, message: toPlainLines(message), remediation: toPlainLines(remediation), url };
}

/** `seen` says since when risks have applied; one that it doesn't name has since this report's reads. */
export function buildDocumentRisk(
  riskText: RiskText,
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

/** A clock that was set back must not leave a time in the future. Both are of the same fixed form, so text order is time order. */
function getEarlier(appliesSince: string | undefined, now: string): string {
  return appliesSince !== undefined && appliesSince < now ? appliesSince : now;
}
