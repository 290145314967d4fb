import type { Check } from "../model/check.ts";
import type { OutcomeKind } from "../model/report.ts";
import type { CaseText } from "./parser.ts";
import { parseRecordedEntry } from "../cluster/recorded/recorded-entry.ts";

/** What the name of a case with an outcome begins with. */
export const CASE_PREFIXES: Readonly<Record<OutcomeKind, string>> = {
  risk: "risk-",
  clear: "clear-",
  unknown: "unknown-",
  notApplicable: "not-applicable-",
};

/** The beginnings of names that no case has. A check without risks says what preflight does not cover, and nothing else. */
export function listMissingPrefixes({ risks }: Pick<Check, "risks">, names: readonly string[]): readonly string[] {
  const { risk, clear, ...others } = CASE_PREFIXES;
  const needed = [...(risks.length > 0 ? [risk, clear] : []), ...Object.values(others)];
  return needed.filter((prefix) => !names.some((name) => name.startsWith(prefix)));
}

/** Whether something that the cluster holds may not be read. */
export function hasForbiddenRead({ cluster }: Pick<CaseText, "cluster">): boolean {
  return Object.values(cluster).some((value) => {
    const entry = parseRecordedEntry(value);
    return entry?.kind === "failed" && entry.reason === "Forbidden";
  });
}
