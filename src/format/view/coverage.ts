import { formatCount } from "../../model/count.ts";
import { compareText } from "../../model/json.ts";
import type { Report } from "../../model/report.ts";
import type { Block } from "../text/page.ts";
import type { View } from "./view.ts";
import { isNotApplicable } from "./outcome-contents.ts";

/** What was read, and the checks that found nothing or don't apply. Without any risk, that is what there is to read. */
export function buildCoverage({ report: { checks, coverage }, document }: View, isOpen: boolean): Block {
  const sorted = checks.toSorted((a, b) => compareText(a.id, b.id));
  const clear = sorted.filter(({ outcome }) => outcome.kind === "clear").map(({ id, title }) => [id, title] as const);
  const idle = sorted.flatMap(({ id, outcome }) =>
    outcome.kind === "notApplicable" ? [[id, outcome.reason] as const] : [],
  );
  const runner = document.runner?.version === undefined ? "" : ` by preflight ${document.runner.version}`;
  const read = `${formatCount(coverage.kinds, "kind")} and ${formatCount(coverage.objects, "object")} were read${runner}, at ${document.observedAt ?? ""}.`;
  return {
    kind: "section",
    only: ["html"],
    heading: "Coverage",
    name: "coverage",
    blocks: [
      { kind: "text", text: read },
      buildChecks(`${formatCount(clear.length, "check")} found nothing`, clear, isOpen),
      buildChecks(`${formatCount(idle.length, "check does", "checks do")} not apply to this update`, idle, false),
    ],
  };
}

function buildChecks(summary: string, rows: readonly (readonly [id: string, text: string])[], isOpen: boolean): Block {
  return { kind: "details", summary, isOpen, blocks: [{ kind: "facts", labelWidth: 0, rows }] };
}

/** The same in one sentence. */
export function formatCoverage({ checks, coverage: { kinds, objects } }: Report): string {
  const notApplicableCount = checks.filter(isNotApplicable).length;
  const ranCount = checks.filter((check) => check.leftOut === undefined && !isNotApplicable(check)).length;
  const summary = `Read ${formatCount(kinds, "kind")} and ${formatCount(objects, "object")} for ${formatCount(ranCount, "check")}`;
  if (notApplicableCount === 0) return `${summary}.`;
  return `${summary}; ${formatCount(notApplicableCount, "check does", "checks do")} not apply to this update (see preflight list).`;
}
