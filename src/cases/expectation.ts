import { buildObjectCommand } from "../model/commands.ts";
import type { Unknown, Finding, Check } from "../model/check.ts";
import type { CaseText } from "./parser.ts";
import type { OutcomeKind, Outcome, ReportRisk } from "../model/report.ts";
import { formatYaml } from "../encoding/yaml-format.ts";
import { parseRecordedEntry } from "../cluster/recorded/recorded-entry.ts";

export type Result = { readonly outcome: Outcome; readonly risks: readonly ReportRisk[] };

/** What a case expects: the check's complete report. Empty values, and fields that a risk has in every case, are left out. */
export type Expect = {
  readonly outcome: OutcomeKind;
  readonly reason?: string;
  readonly unknowns?: readonly Unknown[];
  readonly findings?: readonly Finding[];
  readonly notices?: readonly string[];
  readonly risks?: readonly Pick<ReportRisk, "name" | "message" | "remediation">[];
};

/** What a case expects; nothing in a new case. */
export function parseExpect({ expect }: Pick<CaseText, "expect">): Partial<Expect> {
  return JSON.parse(JSON.stringify(expect ?? {}));
}

export function getExpectedFindings(one: Pick<CaseText, "expect">): readonly Finding[] {
  return parseExpect(one).findings ?? [];
}

export function expectOf({ outcome, risks }: Result): Expect {
  const texts = risks.map(({ name, message, remediation }) => ({ name, message, remediation }));
  return { ...outcomeOf(outcome), ...(texts.length > 0 ? { risks: texts } : {}) };
}

function outcomeOf(outcome: Outcome): Expect {
  switch (outcome.kind) {
    case "clear":
      return { outcome: "clear", ...noticesOf(outcome) };
    case "risk":
      return { outcome: "risk", ...findingsOf(outcome), ...noticesOf(outcome) };
    case "unknown":
      return { outcome: "unknown", unknowns: outcome.unknowns, ...findingsOf(outcome), ...noticesOf(outcome) };
    case "notApplicable":
      return { outcome: "notApplicable", reason: outcome.reason };
  }
}

function findingsOf({ findings }: { readonly findings: readonly Finding[] }): Pick<Expect, "findings"> {
  return findings.length > 0 ? { findings: findings.map(withoutOwnCommand) } : {};
}

/** A case need not repeat the command that prints the finding's own object, nor what a risk's fix does. */
function withoutOwnCommand(full: Finding): Finding {
  const { see = [], fixKind: _fixKind, ...finding } = full;
  const own = (["openshift", "kubernetes"] as const).map((one) => buildObjectCommand(one, "get", finding.object));
  const others = see.filter((command) => !own.includes(command));
  return others.length > 0 ? { ...finding, see: others } : finding;
}

function noticesOf({ notices }: { readonly notices: readonly string[] }): Pick<Expect, "notices"> {
  return notices.length > 0 ? { notices } : {};
}

/** The line of `expect`, the indented lines below it, and the empty lines between them. */
const EXPECT = /^expect:.*(?:\n(?:[ \t]*\n)*[ \t]+\S.*)*\n?/m;

/** The text of a case with another `expect`; all other lines stay unchanged. */
export function withExpect(text: string, expect: Expect): string {
  const section = formatYaml({ expect: JSON.parse(JSON.stringify(expect)) });
  if (EXPECT.test(text)) return text.replace(EXPECT, () => section);
  return `${text}${text.endsWith("\n") ? "" : "\n"}${section}`;
}

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
