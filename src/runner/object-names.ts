import { summarizeNames } from "../model/names.ts";
import type { Finding } from "../model/check.ts";
import { sortFindings } from "../model/findings.ts";
import { buildRefKey, formatRef } from "../model/resource.ts";

/** "A", "A and B", "A, B and C", "A, B, C and 4 more": the sorted objects of findings, each with its path. */
export function formatObjects(findings: readonly Finding[]): string {
  const groups = [...Map.groupBy(sortFindings(findings), (finding) => buildRefKey(finding.object)).values()];
  return summarizeNames(groups.map(formatObject));
}

function formatObject(findings: readonly Finding[]): string {
  const [first] = findings;
  if (!first) return "";
  const paths = new Set(findings.flatMap((finding) => finding.path ?? []));
  if (first.path === undefined || paths.size === 0) return formatRef(first.object);
  const more = paths.size > 1 ? ` and ${paths.size - 1} more` : "";
  return `${formatRef(first.object)} (${first.path}${more})`;
}
