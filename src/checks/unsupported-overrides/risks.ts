import type { Finding } from "../../model/check.ts";
import { compareText } from "../../model/json.ts";
import { summarizeNames } from "../../model/names.ts";
import { readRisks } from "../shared/risks.ts";

export const risks = readRisks("unsupported-overrides", {
  OperatorConfigOverridesUnsupported: { message: { keys: formatAllKeys } },
});

function formatAllKeys(findings: readonly Finding[]): string {
  const keys = new Set(findings.flatMap(({ detail }) => (detail?.["keys"] ? detail["keys"].split(" ") : [])));
  return formatKeys([...keys].toSorted(compareText));
}

/** "a.b, c and 2 more", or that nothing is set below the field. */
export function formatKeys(keys: readonly string[]): string {
  return keys.length === 0 ? "an empty object" : summarizeNames(keys);
}
