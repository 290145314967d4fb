import { joinSome } from "../model/names.ts";
import type { Finding } from "../model/check.ts";
import { byText } from "../model/json.ts";
import { refKey, refText } from "../model/resource.ts";

/** Findings in the order in which they are told: by object, path and text. */
export function sortFindings(findings: readonly Finding[]): readonly Finding[] {
  const key = (finding: Finding) => [refKey(finding.object), finding.path ?? "", finding.message].join("\u0000");
  return findings
    .map((finding) => [key(finding), finding] as const)
    .toSorted(([a], [b]) => byText(a, b))
    .map(([, finding]) => finding);
}

/** "A", "A and B", "A, B and C", "A, B, C and 4 more": the sorted objects of findings, each with its path. */
export function nameObjects(findings: readonly Finding[]): string {
  const groups = [...Map.groupBy(sortFindings(findings), (finding) => refKey(finding.object)).values()];
  return joinSome(groups.map(nameOne));
}

function nameOne(findings: readonly Finding[]): string {
  const [first] = findings;
  if (!first) return "";
  const paths = new Set(findings.flatMap((finding) => finding.path ?? []));
  if (first.path === undefined || paths.size === 0) return refText(first.object);
  const more = paths.size > 1 ? ` and ${paths.size - 1} more` : "";
  return `${refText(first.object)} (${first.path}${more})`;
}
