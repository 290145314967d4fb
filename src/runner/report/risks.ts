import {
  type Unknown,
  type Check,
  type Context,
  type Finding,
  type RiskText,
  getRemediation,
  getUnknownRiskName,
  sortFindings,
} from "../../model/check.ts";
import { compareText } from "../../model/json.ts";
import { MAX_NAMED, summarizeNames } from "../../model/names.ts";
import type { Outcome, ReportRisk } from "../../model/report.ts";
import { buildRefKey, formatRef } from "../../model/resource.ts";
import { formatOrigin } from "../../model/check-origin.ts";
import { UNSEEN_URL } from "../../model/unseen.ts";
import { finishRisk, type UnfinishedRisk } from "./redact-report.ts";
import { formatRemedies } from "./remedies.ts";

/** The page about unknown outcomes, for every check. */
export const UNKNOWN_URL = UNSEEN_URL;

export const KUBERNETES_UNKNOWN_URL = "https://kubernetes.io/docs/tasks/administer-cluster/cluster-upgrade/";

/** The risks of one check's outcome, sorted by name. */
export function buildRisks(check: Check, outcome: Outcome, context: Context): readonly ReportRisk[] {
  if (outcome.kind === "clear" || outcome.kind === "notApplicable") return [];
  const groups = Map.groupBy(outcome.findings, (finding) => finding.risk);
  const risks = check.risks.flatMap((risk) => {
    const findings = groups.get(risk.name) ?? [];
    return findings.length === 0 ? [] : [buildRisk(check, risk, findings, context)];
  });
  const unknowns = outcome.kind === "unknown" ? [buildUnknownRisk(check, outcome.unknowns, context)] : [];
  return [...risks, ...unknowns].map(finishRisk).toSorted((a, b) => compareText(a.name, b.name));
}

function buildRisk(check: Check, risk: RiskText, findings: readonly Finding[], context: Context): UnfinishedRisk {
  return {
    name: risk.name,
    check: check.id,
    unknown: false,
    effect: risk.effect,
    leadTime: risk.leadTime ?? "minutes",
    title: risk.title,
    description: risk.describe(formatObjects(findings), context, findings),
    remediation: `${getRemediation(risk, context)}${formatOrigin(check.origin)}`,
    url: risk.url,
    published: risk.knownAs?.published,
  };
}

/** "A", "A and B", "A, B and C", "A, B, C and 4 more": the sorted objects of findings, each with its path. */
function formatObjects(findings: readonly Finding[]): string {
  const groups = groupByObject(sortFindings(findings), MAX_NAMED);
  return summarizeNames(groups.named.map(formatObject), groups.count);
}

/** The first `limit` objects of sorted findings and the number of all: without keys in memory for very many of them. */
function groupByObject(
  findings: readonly Finding[],
  limit: number,
): { readonly named: readonly (readonly Finding[])[]; readonly count: number } {
  const named: Finding[][] = [];
  let count = 0;
  let previous: string | undefined;
  for (const finding of findings) {
    const key = buildRefKey(finding.object);
    if (key !== previous) {
      count += 1;
      if (count <= limit) named.push([]);
    }
    if (count <= limit) named.at(-1)?.push(finding);
    previous = key;
  }
  return { named, count };
}

function formatObject(findings: readonly Finding[]): string {
  const [first] = findings;
  if (!first) return "";
  const paths = new Set(findings.flatMap((finding) => finding.path ?? []));
  if (first.path === undefined || paths.size === 0) return formatRef(first.object);
  const more = paths.size > 1 ? ` and ${paths.size - 1} more` : "";
  return `${formatRef(first.object)} (${first.path}${more})`;
}

function buildUnknownRisk(check: Check, unknowns: readonly Unknown[], context: Context): UnfinishedRisk {
  const objects = [...new Set(unknowns.map(formatUnknown))].toSorted(compareText);
  return {
    name: getUnknownRiskName(check),
    check: check.id,
    unknown: true,
    title: check.title,
    description: `The check "${check.title}" could not be completed: ${summarizeNames(objects)} could not be checked.`,
    remediation: `${formatRemedies(unknowns, context, check.origin)}${formatOrigin(check.origin)}`,
    url: getUnknownUrl(context),
  };
}

export function getUnknownUrl({ platform }: Pick<Context, "platform">): string {
  return platform === "openshift" ? UNKNOWN_URL : KUBERNETES_UNKNOWN_URL;
}

export function formatUnknown({ where, message, reason }: Unknown): string {
  return `${where} (${message === "" ? reason : message.replace(/[.\s]+$/, "")})`;
}
