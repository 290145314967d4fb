import type { Finding } from "../../model/check.ts";
import { formatRef } from "../../model/resource.ts";
import { formatCount } from "../../model/count.ts";

const MAX_FINDINGS = 50;

/** Each finding with its commands, as plain lines; very many are cut, since -o json has all. */
export function formatFindingLines(findings: readonly Finding[]): readonly string[] {
  const lines = findings
    .slice(0, MAX_FINDINGS)
    .flatMap(({ object, path, message, see = [], fix = [] }) => [
      `${formatRef(object)}${path === undefined ? "" : ` ${path}`}: ${message}`,
      ...see.map((command) => `  See  ${command}`),
      ...fix.map((command) => `  Fix  ${command}`),
    ]);
  const more = findings.length - MAX_FINDINGS;
  return more > 0 ? [...lines, `and ${formatCount(more, "more finding")} (all with -o json)`] : lines;
}
