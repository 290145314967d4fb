import type { DocumentCheck } from "../model/document.ts";
import { byText } from "../model/json.ts";
import type { CheckReport, ReportRisk } from "../model/report.ts";
import type { Blind } from "../model/check.ts";
import { MAX_MESSAGE } from "./budget.ts";
import { plainLines } from "./plain.ts";
import { shorten } from "./shorten.ts";

/** Notices of one check in the document; `-o json` has all. */
const MAX_NOTICES = 20;

/** A check as the document tells it; `risks` are those that are reported, of any check. */
export function documentCheck(check: CheckReport, risks: readonly ReportRisk[]): DocumentCheck {
  const { id, outcome } = check;
  const names = risks.filter((risk) => risk.check === id).map(({ name }) => name);
  const told = names.length > 0 ? { risks: names.toSorted(byText) } : {};
  switch (outcome.kind) {
    case "clear":
      return { id, outcome: "clear", ...noticesOf(outcome.notices) };
    case "risk":
      return { id, outcome: "risk", ...told, ...noticesOf(outcome.notices) };
    case "unknown":
      return { id, outcome: "unknown", ...whyBlind(outcome.blind), ...told, ...noticesOf(outcome.notices) };
    case "notApplicable":
      return { id, outcome: "notApplicable", message: text(outcome.reason) };
  }
}

function whyBlind(blind: readonly Blind[]): { readonly reason?: string; readonly message?: string } {
  const sorted = sortBlind(blind);
  const [first] = sorted;
  if (!first) return {};
  return { reason: first.reason, message: text(sorted.map(blindLine).join("; ")) };
}

/** "networks.config.openshift.io cluster: why it could not be looked at" */
export function blindLine({ where, reason, message }: Blind): string {
  return `${where}: ${message === "" ? reason : message}`;
}

/** By place, reason and text. */
export function sortBlind(blind: readonly Blind[]): readonly Blind[] {
  return blind
    .map((one) => [[one.where, one.reason, one.message].join("\u0000"), one] as const)
    .toSorted(([a], [b]) => byText(a, b))
    .map(([, one]) => one);
}

function noticesOf(notices: readonly string[]): { readonly notices?: readonly string[] } {
  const sorted = [...new Set(notices)].filter((notice) => notice !== "").toSorted(byText);
  if (sorted.length === 0) return {};
  if (sorted.length <= MAX_NOTICES) return { notices: sorted.map(text) };
  const more = `${sorted.length - MAX_NOTICES + 1} more notices: "preflight check -o json" has them all.`;
  return { notices: [...sorted.slice(0, MAX_NOTICES - 1).map(text), more] };
}

function text(of: string): string {
  return shorten(plainLines(of), MAX_MESSAGE);
}
