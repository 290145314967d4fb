import { joinSome } from "../model/names.ts";
import type { Finding } from "../model/check.ts";
import { sortFindings } from "../model/findings.ts";
import { refKey, refText } from "../model/resource.ts";

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
