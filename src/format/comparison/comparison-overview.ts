import { formatCount } from "../../model/text.ts";
import type { TableBlock, Text, Tone } from "../text/page.ts";
import { EFFECT_WORDS } from "../view/risk-sections.ts";
import { getEffect } from "../view/view.ts";
import type { CheckChange, Comparison, RiskChange } from "./comparison.ts";

type OverviewLine = { readonly tone: Tone; readonly cells: readonly Text[] };

/** Each change in a line, what is worse first; on a page, whose other parts it leads to. */
export function buildComparisonOverview({ risks, checks }: Comparison): readonly TableBlock[] {
  const lost = checks.filter(({ kind }) => kind === "newlyUnknown" || kind === "notRun");
  const lines = [
    ...KINDS.flatMap((kind) => risks.filter((change) => change.kind === kind).map(buildRiskLine)),
    ...lost.map(buildCheckLine),
    ...RESTS.flatMap((kind) => risks.filter((change) => change.kind === kind).map(buildRiskLine)),
  ];
  if (lines.length === 0) return [];
  return [
    {
      kind: "table",
      only: ["html"],
      head: ["Change", "Effect", "Risk or check", "Takes", "What differs"],
      rows: lines.map(({ cells }) => cells),
      tones: lines.map(({ tone }) => tone),
      linked: 2,
    },
  ];
}

/** What may be worse than before, and what is not. */
const KINDS = ["new", "firstSeen", "changed", "notKnown"] as const;
const RESTS = ["gone", "same"] as const;

const CHANGE_WORDS: Readonly<Record<RiskChange["kind"], string>> = {
  new: "new",
  firstSeen: "perhaps new",
  changed: "changed",
  notKnown: "no longer known",
  gone: "gone",
  same: "in both",
};

function buildRiskLine(change: RiskChange): OverviewLine {
  const { kind, risk } = change;
  const effect = getEffect(risk);
  const takes: Text = risk.leadTime === undefined ? "-" : [{ takes: risk.leadTime }];
  const isOver = kind === "gone" || risk.isAccepted === true;
  return {
    tone: isOver ? "accepted" : effect,
    cells: [
      CHANGE_WORDS[kind],
      EFFECT_WORDS[effect],
      risk.name,
      kind === "gone" ? "-" : takes,
      describeDifference(change),
    ],
  };
}

/** "2 more, 1 fewer", "3 objects" */
function describeDifference(change: RiskChange): string {
  const { risk } = change;
  const count = risk.places === undefined ? "" : formatCount(risk.places.length + risk.omittedPlaces, "place");
  const accepted = risk.isAccepted === true ? "accepted" : "";
  if (change.kind !== "changed")
    return [change.kind === "gone" ? "" : count, accepted].filter(Boolean).join(", ") || "-";
  const { added, removed, acceptance, hasOtherText } = change;
  const parts = [
    added.length === 0 ? "" : `${added.length} more`,
    removed.length === 0 ? "" : `${removed.length} fewer`,
    acceptance === undefined ? "" : ACCEPTANCES[acceptance],
    hasOtherText ? "another message" : "",
  ];
  return parts.filter(Boolean).join(", ");
}

const ACCEPTANCES = { ended: "no longer accepted", accepted: "accepted now" } as const;

function buildCheckLine({ id, kind, causes, isAccepted }: CheckChange): OverviewLine {
  const why = kind === "notRun" ? "not run" : formatCount(causes.length, "cause");
  return {
    tone: isAccepted ? "accepted" : "unknown",
    cells: ["no longer known", "-", id, "-", isAccepted ? `${why}, accepted` : why],
  };
}
