import { type Blind, type Check, type Context, type Finding, type RiskText, unknownName } from "../model/check.ts";
import { byText } from "../model/json.ts";
import { joinSome } from "../model/names.ts";
import type { Outcome, ReportRisk } from "../model/report.ts";
import { nameObjects } from "./naming.ts";

/** Where an unknown outcome is explained, whatever check it is of. */
export const UNKNOWN_URL =
  "https://docs.redhat.com/en/documentation/openshift_container_platform/latest/html/updating_clusters/index";

/** The risks that come of one check's outcome, sorted by name. */
export function risksOf(check: Check, outcome: Outcome, context: Context): readonly ReportRisk[] {
  if (outcome.kind === "clear" || outcome.kind === "notApplicable") return [];
  const groups = Map.groupBy(outcome.findings, (finding) => finding.risk);
  const risks = check.risks.flatMap((risk) => riskOf(check, risk, groups.get(risk.name) ?? [], context));
  const blind = outcome.kind === "unknown" ? [unknownRisk(check, outcome.blind)] : [];
  return [...risks, ...blind].toSorted((a, b) => byText(a.name, b.name));
}

function riskOf(check: Check, risk: RiskText, findings: readonly Finding[], context: Context): readonly ReportRisk[] {
  if (findings.length === 0) return [];
  const description = risk.describe(nameObjects(findings), context, findings);
  const message = `${description} ${risk.remediation}`;
  return [
    {
      name: risk.name,
      check: check.id,
      unknown: false,
      title: risk.title,
      message,
      description,
      remediation: risk.remediation,
      url: risk.url,
      ...(risk.published === undefined ? {} : { published: risk.published }),
    },
  ];
}

function unknownRisk(check: Check, blind: readonly Blind[]): ReportRisk {
  const places = [...new Set(blind.map(blindText))].toSorted(byText);
  const description = `It is not known whether this holds: "${check.title}". The check could not look at ${joinSome(places)}.`;
  const remediation = remedyFor(blind);
  const message = `${description} ${remediation}`;
  return {
    name: unknownName(check),
    check: check.id,
    unknown: true,
    title: check.title,
    message,
    description,
    remediation,
    url: UNKNOWN_URL,
  };
}

export function blindText({ where, message, reason }: Blind): string {
  return `${where} (${message === "" ? reason : message.replace(/[.\s]+$/, "")})`;
}

/** What no right and no repair makes visible. */
const ONLY_BY_HAND = new Set(["RuleNotEvaluated", "LimitUnknown", "CheckFailed"]);

const NO_TARGET = new Set(["NoTargetFolder", "NoTargetCrds"]);

function remedyFor(blind: readonly Blind[]): string {
  const reasons = blind.map(({ reason }) => reason);
  if (reasons.includes("Forbidden"))
    return 'Grant the rights that "preflight rbac" prints, or look at these by hand before updating.';
  if (reasons.some((reason) => NO_TARGET.has(reason)))
    return "Give the whole target release with --target, or look at these by hand before updating.";
  if (reasons.every((reason) => ONLY_BY_HAND.has(reason))) return "Look at these by hand before updating.";
  return "Make them readable and the next run decides, or look at these by hand before updating.";
}
