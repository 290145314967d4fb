import {
  type Unknown,
  type Check,
  type Context,
  type Finding,
  type RiskText,
  getUnknownRiskName,
} from "../model/check.ts";
import { compareText } from "../model/json.ts";
import { summarizeNames } from "../model/names.ts";
import type { Outcome, ReportRisk } from "../model/report.ts";
import { formatObjects } from "./object-names.ts";
import { defined } from "../model/optional.ts";

/** Where an unknown outcome is explained, whatever check it is of. */
export const UNKNOWN_URL =
  "https://docs.redhat.com/en/documentation/openshift_container_platform/latest/html/updating_clusters/index";

/** The risks that come of one check's outcome, sorted by name. */
export function buildRisks(check: Check, outcome: Outcome, context: Context): readonly ReportRisk[] {
  if (outcome.kind === "clear" || outcome.kind === "notApplicable") return [];
  const groups = Map.groupBy(outcome.findings, (finding) => finding.risk);
  const risks = check.risks.flatMap((risk) => buildRisk(check, risk, groups.get(risk.name) ?? [], context));
  const unknowns = outcome.kind === "unknown" ? [buildUnknownRisk(check, outcome.unknowns)] : [];
  return [...risks, ...unknowns].toSorted((a, b) => compareText(a.name, b.name));
}

function buildRisk(
  check: Check,
  risk: RiskText,
  findings: readonly Finding[],
  context: Context,
): readonly ReportRisk[] {
  if (findings.length === 0) return [];
  const description = risk.describe(formatObjects(findings), context, findings);
  const remediation = risk.remediate?.(context) ?? risk.remediation;
  const message = `${description} ${remediation}`;
  return [
    {
      name: risk.name,
      check: check.id,
      unknown: false,
      title: risk.title,
      message,
      description,
      remediation,
      url: risk.url,
      ...defined({ published: risk.published }),
    },
  ];
}

function buildUnknownRisk(check: Check, unknowns: readonly Unknown[]): ReportRisk {
  const objects = [...new Set(unknowns.map(formatUnknown))].toSorted(compareText);
  const description = `It is not known whether this holds: "${check.title}". The check could not look at ${summarizeNames(objects)}.`;
  const remediation = selectRemedy(unknowns);
  const message = `${description} ${remediation}`;
  return {
    name: getUnknownRiskName(check),
    check: check.id,
    unknown: true,
    title: check.title,
    message,
    description,
    remediation,
    url: UNKNOWN_URL,
  };
}

export function formatUnknown({ where, message, reason }: Unknown): string {
  return `${where} (${message === "" ? reason : message.replace(/[.\s]+$/, "")})`;
}

/** What no right and no repair makes visible. */
const MANUAL_REASONS = new Set(["RuleNotEvaluated", "LimitUnknown", "CheckFailed"]);

const MISSING_TARGET_REASONS = new Set(["NoTargetFolder", "NoTargetCrds"]);

function selectRemedy(unknowns: readonly Unknown[]): string {
  const reasons = unknowns.map(({ reason }) => reason);
  if (reasons.includes("Forbidden"))
    return 'Grant the rights that "preflight rbac" prints, or look at these by hand before updating.';
  if (reasons.some((reason) => MISSING_TARGET_REASONS.has(reason)))
    return "Give the whole target release with --target, or look at these by hand before updating.";
  if (reasons.every((reason) => MANUAL_REASONS.has(reason))) return "Look at these by hand before updating.";
  return "Make them readable and the next run decides, or look at these by hand before updating.";
}
