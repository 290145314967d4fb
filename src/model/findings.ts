import type { Finding } from "./check.ts";
import { compareText } from "./json.ts";
import { buildRefKey } from "./resource.ts";

/** In the order in which they are told: by object, path, risk and text. */
export function sortFindings(findings: readonly Finding[]): readonly Finding[] {
  return findings
    .map(
      (finding) =>
        [
          [buildRefKey(finding.object), finding.path ?? "", finding.risk, finding.message].join("\u0000"),
          finding,
        ] as const,
    )
    .toSorted(([a], [b]) => compareText(a, b))
    .map(([, finding]) => finding);
}
