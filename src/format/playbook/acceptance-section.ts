import type { Effect } from "../../model/check.ts";
import { getRisks, type Plan } from "../../model/plan.ts";
import type { ReportRisk } from "../../model/report.ts";
import { formatStepTarget } from "../../model/route.ts";
import { joinNames } from "../../model/names.ts";
import type { Section } from "../text/page.ts";
import { compareRisks, getEffect } from "../view/work-order.ts";

/** What an open risk does, and so what its acceptance means. */
const MEANINGS: Readonly<Record<Effect, string>> = {
  refused: "The update still does not start: acceptance only takes the risk out of the exit code.",
  notRecommended:
    "The update starts only with --allow-not-recommended, and what the published risk describes may happen.",
  stuck: "The update starts and stops on the way, until somebody fixes the fault.",
  broken: "The update finishes, and what the risk names no longer works from then on.",
};

const EXAMPLE = [
  "accept:",
  "- risk: <risk>",
  "  reason: <why>",
  "  until: <last day, such as 2027-03-31>",
  "  objects: [<kind namespace/name>]",
];

const UNKNOWN_MEANING = "Nobody has looked: whatever the check would have found comes with the update.";

/** The risks that are still open, and what it means to accept each. */
export function buildAcceptanceSection(plan: Plan, accepted: readonly ReadonlySet<string>[]): readonly Section[] {
  const open = collectOpenRisks(plan, accepted);
  if (open.length === 0) return [];
  const rows = open.map(({ risk, targets }) => [
    risk.name,
    joinNames(targets),
    risk.unknown ? UNKNOWN_MEANING : MEANINGS[getEffect(risk)],
  ]);
  const introduction = [
    {
      own: "A risk that is accepted no longer decides on the exit code; the cluster stays as it is. Write down why and until when in ",
    },
    { code: ".preflight.yaml" },
    { own: ", with the objects that are meant, so that new ones are reported, and name the file with " },
    { code: "--config" },
    { own: ":" },
  ];
  return [
    {
      kind: "section",
      heading: "What may be accepted, and what that means",
      blocks: [
        { kind: "text", text: introduction },
        { kind: "commands", language: "yaml", commands: EXAMPLE },
        { kind: "table", head: ["risk", "updates to", "if it is accepted"], rows },
      ],
    },
  ];
}

type OpenRisk = { readonly risk: ReportRisk; readonly targets: readonly string[] };

/** Those of incomplete checks come last. */
function collectOpenRisks({ steps }: Plan, accepted: readonly ReadonlySet<string>[]): readonly OpenRisk[] {
  const open = new Map<string, { readonly risk: ReportRisk; readonly targets: string[] }>();
  for (const [i, step] of steps.entries())
    for (const risk of getRisks(step)) {
      if (accepted[i]?.has(risk.name) === true) continue;
      const known = open.get(risk.name) ?? { risk, targets: [] };
      known.targets.push(formatStepTarget(step.step.to));
      open.set(risk.name, known);
    }
  return [...open.values()].toSorted(
    (a, b) => Number(a.risk.unknown) - Number(b.risk.unknown) || compareRisks(a.risk, b.risk),
  );
}
