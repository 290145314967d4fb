import type { Effect } from "../../model/check.ts";
import { formatCount, joinNames } from "../../model/text.ts";
import { listReports, type Plan } from "../../model/plan.ts";
import type { Recommendation, RouteBasis } from "../../model/route.ts";
import { getCell } from "../result/risk-table.ts";
import { type Block, LINEAR, type Page, type Section, type Text } from "../text/page.ts";
import { buildListAge } from "../view/lists.ts";
import { countUnseenChecks, formatClusterOrigin } from "../view/decision.ts";
import { getEffect } from "../view/view.ts";
import { buildPlanHead, buildStepTable, listSteps, type PlaybookView, type StepView } from "./plan-view.ts";
import { buildWorkTable } from "./plan-screen.ts";
import { buildStepSection } from "./playbook-step.ts";

/**
 * A page to work from. As markdown, which is kept in git, the same state of the cluster gives the same text: it has no times of its own.
 * It names neither a context nor a machine.
 */
export function buildPlaybookPage(view: PlaybookView): Page {
  const steps = listSteps(view);
  const head = buildPlanHead(view, steps);
  const identified = listReports(view.plan).find((report) => report?.clusterId !== undefined);
  return {
    ...head,
    context: "playbook",
    headline: { only: LINEAR, text: [{ own: `Update from ${head.title.join(" to ")}` }] },
    lines: formatClusterOrigin({ ...identified, isHosted: view.plan.isHosted }, {}).map((text) => ({ text })),
    blocks: [
      { kind: "text", text: describeOrigin(view) },
      ...buildOverview(view, steps),
      ...buildWorkTable(steps, ["html"]),
      ...buildMinorsBetween(view),
      ...steps.map((step, i) => buildStepSection(step, steps[i + 1], view)),
      ...buildAcceptanceSection(steps, view.plan),
      ...buildListAge(listReports(view.plan).flatMap((report) => report ?? [])),
    ],
  };
}

function describeOrigin({ command }: PlaybookView): Text {
  const again = [{ own: ": run it again after each change, and compare with " }, { code: "git diff" }, { own: "." }];
  return [{ own: "Written by " }, { code: command }, ...again];
}

const BASIS_TEXT: Readonly<Record<RouteBasis, string>> = {
  graph: "The route is one that the update graph offers.",
  clusterVersion: "The update is one that ClusterVersion offers.",
  rule: "The route follows the rule that no update skips a minor; no update graph was read.",
};

function buildOverview({ plan, isRoute }: PlaybookView, steps: readonly StepView[]): readonly Block[] {
  const rows = steps.map((step) => [
    `${step.number}`,
    [{ own: `${step.planned.from} to ${step.target}` }],
    describeRecommendation(step.planned.step.recommendation),
    describeResult(step),
  ]);
  return [
    ...(isRoute ? [{ kind: "text", text: BASIS_TEXT[plan.route.basis] } as const] : []),
    { kind: "table", head: ["step", "update", "update service", "result"], rows },
  ];
}

/** A target that was given may be several updates away; a route has no such step. */
function buildMinorsBetween({ plan, isRoute }: PlaybookView): readonly Block[] {
  const result = plan.steps[0]?.result;
  if (isRoute || result?.kind !== "checked" || result.report.minorsBetween === undefined) return [];
  const { target, minorsBetween } = result.report;
  const { names, unknown } = minorsBetween;
  const verb = names.length === 1 ? "lies" : "lie";
  const need = unknown === undefined ? "each minor needs" : "each minor may need";
  const text = [
    { strong: unknown === undefined ? "This is not the whole way:" : "This may not be the whole way:" },
    { own: ` ${joinNames(names)} ${verb} between, and ${need} an update of its own. ` },
    { code: `preflight playbook --to ${target.text}` },
    { own: " writes all of them." },
  ];
  return [{ kind: "text", text }];
}

function describeRecommendation(recommendation: Recommendation): Text {
  switch (recommendation.kind) {
    case "recommended":
      return "recommended";
    case "conditional":
      return [{ own: "with conditions (" }, joinNames(recommendation.risks.map(({ name }) => name)), { own: ")" }];
    case "notOffered":
      return "not offered";
    case "unknown":
      return "not read";
  }
}

function describeResult({ result, accepted }: StepView): string {
  if (result.kind === "notChecked") return "not checked";
  const found = result.report.risks.filter(({ unknown, name }) => !unknown && !result.repeated.has(name));
  const open = found.filter(({ name }) => !accepted.has(name)).length;
  const [leftOut, incomplete] = countUnseenChecks(result.report);
  const parts = [
    open === 0 ? "nothing to do" : `${formatCount(open, "risk")} to fix`,
    ...(found.length > open ? [`${found.length - open} accepted`] : []),
    ...(result.repeated.size > 0 ? [`${result.repeated.size} as before`] : []),
    ...(incomplete > 0 ? [`${formatCount(incomplete, "check")} incomplete`] : []),
    ...(leftOut > 0 ? [`${formatCount(leftOut, "check")} left out`] : []),
  ];
  return parts.join(", ");
}

/** What an open risk does, and so what its acceptance means. */
const MEANINGS: Readonly<Record<Effect, string>> = {
  refused: "The update still does not start: acceptance only takes the risk out of the exit code.",
  notRecommended:
    "The update starts only with --allow-not-recommended, and what the published risk describes may happen.",
  stuck: "The update starts and stops on the way, until somebody fixes the fault.",
  broken: "The update finishes, and what the risk names no longer works from then on.",
};

const HOSTED_MEANINGS: typeof MEANINGS = {
  ...MEANINGS,
  notRecommended:
    "The update starts, since HyperShift asks for no recommendation, and what the published risk describes may happen.",
};

const UNKNOWN_MEANING = "Nobody has looked: whatever the check would have found comes with the update.";

const EXAMPLE = [
  "accept:",
  "- risk: <risk>",
  "  reason: <why>",
  "  until: <last day, such as 2027-03-31>",
  "  objects: [<kind namespace/name>]",
];

const INTRODUCTION: Text = [
  {
    own: "A risk that is accepted no longer decides on the exit code; the cluster stays as it is. Write down why and until when in ",
  },
  { code: ".preflight.yaml" },
  { own: ", with the objects that are meant, so that new ones are reported, and name the file with " },
  { code: "--config" },
  { own: ":" },
];

/** The risks that are still open, and what it means to accept each. */
function buildAcceptanceSection(steps: readonly StepView[], { isHosted }: Plan): readonly Section[] {
  const meanings = isHosted === true ? HOSTED_MEANINGS : MEANINGS;
  const { columns, risks } = buildStepTable(steps);
  const rows = risks.flatMap((risk) => {
    const open = columns.filter((column) => {
      const cell = getCell(column, risk);
      return cell.risk !== undefined && cell.kind !== "accepted";
    });
    const meaning = risk.unknown ? UNKNOWN_MEANING : meanings[getEffect(risk)];
    return open.length === 0 ? [] : [[risk.name, joinNames(open.map(({ step }) => step.target)), meaning]];
  });
  if (rows.length === 0) return [];
  return [
    {
      kind: "section",
      heading: "What may be accepted, and what that means",
      blocks: [
        { kind: "text", text: INTRODUCTION },
        { kind: "commands", language: "yaml", commands: EXAMPLE },
        { kind: "table", head: ["risk", "updates to", "if it is accepted"], rows },
      ],
    },
  ];
}
