import { EFFECTS } from "../../model/check.ts";
import { joinNames } from "../../model/names.ts";
import type { Report } from "../../model/report.ts";
import { type Block, type Line, TERMINAL } from "../text/page.ts";
import { decide, type Decision } from "./decision.ts";
import type { View } from "./view.ts";
import { compareRisks, EFFECT_VERBS, formatLeadTime, getEffect } from "./work-order.ts";

type Accepted = Pick<View, "accepted">;

/** Stands before the headline, which says it of itself where nothing is open. */
export const VERDICTS: Readonly<Record<Decision["kind"], string | undefined>> = {
  risk: "Don't update yet.",
  incomplete: "Not decided.",
  clear: undefined,
};

/** "Why: 1 refuses the update and 2 break something." */
export function buildReason(report: Report, view: Accepted): readonly Line[] {
  const open = listOpenRisks(report, view);
  if (open.length === 0) return [];
  const counts = EFFECTS.map((effect) => [effect, open.filter((risk) => getEffect(risk) === effect).length] as const);
  const parts = counts.flatMap(([effect, count]) =>
    count === 0 ? [] : [`${count} ${EFFECT_VERBS[effect][count === 1 ? 0 : 1]}`],
  );
  return [{ only: TERMINAL, text: `Why: ${joinNames(parts)}.` }];
}

/** The decision again, and where to begin. */
export function buildConclusion(report: Report, view: Accepted): readonly Block[] {
  const { kind, words, next } = decide(report, view);
  const text = [`${words}.`, ...formatNext(next, report, view)].join(" ");
  return [
    { kind: "text", only: ["terminal"], text: kind === "risk" ? `${text} All details: -o wide.` : text, verdict: kind },
    { kind: "text", only: ["wide"], text, verdict: kind },
  ];
}

function formatNext(next: string | undefined, report: Report, view: Accepted): readonly string[] {
  const [first] = listOpenRisks(report, view);
  if (first === undefined) return next === undefined ? [] : [next];
  const takes = formatLeadTime(first);
  return [`Next: ${first.name}${takes === undefined ? "" : ` (${takes})`}.`];
}

/** In the order of work. */
function listOpenRisks({ risks }: Report, { accepted }: Accepted): Report["risks"] {
  return risks.filter(({ unknown, name }) => !unknown && !accepted.has(name)).toSorted(compareRisks);
}
