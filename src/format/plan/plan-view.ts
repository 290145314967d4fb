import { quoteArgument } from "../../model/commands.ts";
import type { JsonObject } from "../../model/json.ts";
import type { JudgedAcceptance } from "../../model/unseen.ts";
import { formatCount, joinNames, sortNames } from "../../model/text.ts";
import { isPlanComplete, type Plan, type PlannedStep, type StepResult } from "../../model/plan.ts";
import type { Report } from "../../model/report.ts";
import { formatStepTarget } from "../../model/route.ts";
import { formatTime } from "../../model/time.ts";
import type { Column, RiskTable } from "../result/risk-table.ts";
import { listFacts, selectFacts, buildRiskTable, getCell, readReport } from "../result/risk-table.ts";
import type { Block, Item, Page, PageDecision } from "../text/page.ts";
import { selectAcceptedNames } from "../view/acceptances.ts";
import { decide, type Decision } from "../view/decision.ts";
import type { View } from "../view/view.ts";

/** The input of a plan's formats. */
export type PlanView = Pick<View, "cluster"> & {
  readonly plan: Plan;
  /** What became of the acceptances, by step. */
  readonly judged: readonly (readonly JudgedAcceptance[])[];
  /** What a later `check` of one step has to repeat beside its target. */
  readonly checkFlags?: string;
  /** The folder of each release that was given as one, by its version. */
  readonly folders?: ReadonlyMap<string, string>;
};

/** A plan, or one update as a plan of one step, with the commands that a playbook names. */
export type PlaybookView = PlanView & {
  /** The command that checks the same updates again. */
  readonly recheck: string;
  /** The same without a selection of checks, so that `--only` can be added. */
  readonly recheckSome: string;
  /** The command that writes the same playbook again. */
  readonly command: string;
  /** Whether the updates follow a route, or are one target that was given. */
  readonly isRoute: boolean;
};

/** A step of a plan, and what it shares with those before it. */
export type StepView = {
  readonly number: number;
  readonly planned: PlannedStep;
  readonly target: string;
  readonly before: PlannedStep | undefined;
  readonly acceptances: readonly JudgedAcceptance[];
  readonly accepted: ReadonlySet<string>;
  /** Whether its work can wait until the step before is done: one that was not checked may have the same work. */
  readonly canWait: boolean;
  readonly result: CheckedStep | Extract<StepResult, { kind: "notChecked" }>;
};

type Checked = Extract<StepResult, { kind: "checked" }>;

/** `own`: what no step before it reports. The others: what is named there, by step, and by check. */
export type CheckedStep = Checked & {
  readonly own: Report;
  readonly repeatedRisks: readonly (readonly [step: number, names: string])[];
  readonly repeatedChecks: string;
};

export function listSteps({ plan: { steps }, judged }: Pick<PlanView, "plan" | "judged">): readonly StepView[] {
  return steps.map((planned, i) => {
    const earlier = steps.slice(0, i).map(({ result }) => result);
    const acceptances = judged[i] ?? [];
    return {
      number: i + 1,
      planned,
      target: formatStepTarget(planned.step.to),
      before: steps[i - 1],
      acceptances,
      accepted: selectAcceptedNames(acceptances),
      canWait: i > 0 && earlier.every(({ kind }) => kind === "checked"),
      result: planned.result.kind === "checked" ? compareToEarlier(planned.result, earlier) : planned.result,
    };
  });
}

/** One missing right makes the same check incomplete in every step; it is named in the first of them. */
function compareToEarlier(result: Checked, earlier: readonly StepResult[]): CheckedStep {
  const { report, repeated } = result;
  // Without risks: whether one is repeated depends on its findings.
  const facts = earlier.map((one) => (one.kind === "checked" ? listFacts({ ...one.report, risks: [] }) : []));
  const known = new Set(facts.flatMap((own) => [...own]));
  const risks = report.risks.filter(({ name, unknown }) => unknown || !repeated.has(name));
  const own = selectFacts({ ...report, risks }, (fact) => !known.has(fact));
  const named = new Set(own.unseen.map(({ check }) => check));
  const bySteps = Map.groupBy([...repeated], ([, step]) => step);
  return {
    ...result,
    own,
    repeatedRisks: [...bySteps].map(([step, same]) => [step, joinNames(same.map(([name]) => name))]),
    repeatedChecks: joinNames(sortNames(report.unseen.flatMap(({ check }) => (named.has(check) ? [] : (check ?? []))))),
  };
}

type StepColumn = Column & { readonly step: StepView };

export function buildStepTable(steps: readonly StepView[]): RiskTable<StepColumn> {
  return buildRiskTable(
    steps.map((step) => {
      const { result, accepted } = step;
      return { step, ...readReport(result.kind === "checked" ? result.report : undefined, accepted) };
    }),
  );
}

type PlanHead = {
  readonly title: readonly [from: string, to: string];
  readonly decision: PageDecision & Pick<Decision, "kind">;
};

/** What every page of a plan begins with. */
export function buildPlanHead({ plan }: PlanView, steps: readonly StepView[]): Pick<Page, "observedAt"> & PlanHead {
  return {
    title: [plan.route.source.text, steps.at(-1)?.target ?? ""],
    observedAt: formatTime(plan.observedAt),
    decision: { ...decidePlan(steps), basis: `${listCounts(plan, steps)}.` },
  };
}

/** The exit code of `plan` follows from these: 3, 4 and 0. */
export function judgeStep({ result, accepted }: StepView): Decision["kind"] {
  return result.kind === "checked" ? decide(result.report, { accepted }).kind : "incomplete";
}

function decidePlan(steps: readonly StepView[]): Pick<Decision, "kind" | "words"> {
  const kinds = steps.map(judgeStep);
  const risky = kinds.indexOf("risk");
  if (risky === 0) return { kind: "risk", words: "Don't update yet" };
  if (risky > 0) return { kind: "risk", words: `Don't start step ${risky + 1} yet` };
  if (kinds.includes("incomplete"))
    return { kind: "incomplete", words: "Not decided: not every step could be checked completely" };
  return { kind: "clear", words: "No step has a risk that is not accepted" };
}

/** "2 updates, 3 risks, 1 update could not be checked". A risk counts as accepted if it is so in every step that has it. */
export function listCounts(plan: Plan, steps: readonly StepView[]): string {
  const { columns, risks } = buildStepTable(steps);
  const found = risks.filter(({ unknown }) => !unknown);
  const accepted = found.filter((risk) => columns.every((column) => getCell(column, risk).kind !== "risk")).length;
  const notChecked = steps.filter(({ result }) => result.kind === "notChecked").length;
  const parts = [
    formatCount(steps.length, "update"),
    found.length === 0 ? "no risk found" : formatCount(found.length, "risk"),
    ...(accepted > 0 ? [`${accepted} of them accepted`] : []),
    ...(notChecked > 0 ? [`${formatCount(notChecked, "update")} could not be checked`] : []),
    ...(notChecked === 0 && !isPlanComplete(plan) ? ["not complete"] : []),
  ];
  return parts.join(", ");
}

export function buildPauseCommands(pools: readonly string[], paused: boolean): readonly string[] {
  return pools.map((pool) => `oc patch machineconfigpool/${pool} --type merge -p '{"spec":{"paused":${paused}}}'`);
}

/** A change of a HostedCluster or a NodePool, whose names the guest doesn't know. */
export function buildHostedChange(kind: "hostedcluster" | "nodepool", spec: JsonObject): string {
  return `oc -n <namespace> patch ${kind}/<${kind === "nodepool" ? "node-pool" : "hosted-cluster"}> --type merge -p ${quoteArgument(JSON.stringify({ spec }))}`;
}

/** Of an update that is offered with conditions. */
export function listConditions({ planned: { step } }: StepView): readonly Item[] {
  const { recommendation } = step;
  if (recommendation.kind !== "conditional") return [];
  return recommendation.risks.map(({ name, message, url }) => ({ lead: name, text: `${message} ${url}` }));
}

export function listPending({ pending }: Checked): Block {
  return { kind: "list", items: pending.map(({ id, reason }) => ({ lead: id, text: reason })) };
}
