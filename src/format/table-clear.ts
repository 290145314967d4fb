import type { CheckReport, OutcomeKind, Report } from "../model/report.ts";
import { count } from "./count.ts";
import type { View } from "./view.ts";
import { wrap } from "./wrap.ts";

type Options = Pick<View, "width">;

/** What it means that no risk was found, and of which checks; nothing where there are risks. */
export function nothingFound(report: Report, { width }: Options): readonly string[] {
  if (report.risks.some(({ unknown }) => !unknown)) return [];
  const clear = ofKind(report, "clear").map(({ id }) => id);
  const idle = ofKind(report, "notApplicable");
  return [
    ...wrap("", meaning(report), width),
    ...(clear.length === 0 ? [] : ["", ...wrap("  Clear           ", clear.join(", "), width)]),
    ...(idle.length === 0 ? [] : ["", ...idle.flatMap((check, i) => idleLines(check, i === 0, width))]),
  ];
}

function meaning(report: Report): string {
  const [clear, blind] = [ofKind(report, "clear").length, ofKind(report, "unknown").length];
  if (clear + blind === 0)
    return "None of the checks applies to this update, so nothing was looked at. It may have risks that no check here knows.";
  if (blind > 0) return "This is not an all-clear: what could not be looked at may hold risks.";
  return (
    `${count(clear, "check")} looked and found nothing on this cluster that ${report.crdFolder ?? report.target.text} would refuse or break. ` +
    'That covers what the checks know and no more: read the release notes too, and "oc adm upgrade recommend" for the cluster\'s own health.'
  );
}

function idleLines({ id, outcome }: CheckReport, first: boolean, width: number): readonly string[] {
  const reason = outcome.kind === "notApplicable" ? outcome.reason : "";
  return wrap(first ? "  Not applicable  " : " ".repeat(18), `${id}: ${reason}`, width);
}

function ofKind({ checks }: Report, kind: OutcomeKind): readonly CheckReport[] {
  return checks.filter(({ outcome }) => outcome.kind === kind);
}
