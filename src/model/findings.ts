import type { Finding } from "./check.ts";
import { byText } from "./json.ts";
import { refKey } from "./resource.ts";

/** In the order in which they are told: by object, path, risk and text. */
export function sortFindings(findings: readonly Finding[]): readonly Finding[] {
  return findings
    .map((one) => [[refKey(one.object), one.path ?? "", one.risk, one.message].join("\u0000"), one] as const)
    .toSorted(([a], [b]) => byText(a, b))
    .map(([, one]) => one);
}
