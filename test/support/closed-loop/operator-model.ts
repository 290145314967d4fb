import { buildConditionalUpdateRisks } from "../../../src/lift/cluster-version-status.ts";
import type { ClusterUpdates } from "../../../src/lift/objects/cluster-updates.ts";
import { recomputeConditions } from "../../../src/lift/recompute-conditions.ts";
import { mergeRisks } from "../../../src/lift/risk-merge.ts";
import { type JsonObject, textAt } from "../../../src/model/json.ts";
import { ALL_FIELDS, NOW, conditional, foreign, release } from "../lift/sample.ts";

export const SOURCE = "5.0.3";
export const TARGET = "5.1.0";
const PATCH = "5.0.9";

/** What is wrong with the cluster. */
export type Trouble = {
  readonly operator?: true;
  readonly budget?: true;
  /** The update service publishes a risk of the target, whose query matches. */
  readonly published?: true;
  /** An alert that no check of ours knows. */
  readonly alert?: true;
  /** The operator makes no risks of operators and budgets: its release, its feature gate or its monitoring doesn't let it. */
  readonly unseenByOperator?: true;
};

/** An alert with the label openShiftUpdatePrecheck that fires. */
export type FiringAlert = { readonly name: string; readonly summary: string; readonly about: string };

const FOREIGN_ALERT: FiringAlert = {
  name: "KubeNodeNotReady",
  summary: "Node is not ready.",
  about: "A node is down.",
};
const BUDGET_ALERT: FiringAlert = {
  name: "PodDisruptionBudgetAtLimit",
  summary: "The budget is at its limit.",
  about: "Namespace=demo, PodDisruptionBudget=web. The budget is at its limit.",
};

/** The lists that the cluster-version operator writes to ClusterVersion's status, from its own sources and from nothing else. */
export function buildOperatorLists(trouble: Trouble, ours: readonly FiringAlert[]): JsonObject {
  const alerts = [
    ...(trouble.alert ? [FOREIGN_ALERT] : []),
    ...(trouble.budget && !trouble.unseenByOperator ? [BUDGET_ALERT] : []),
    ...ours,
  ].map(buildAlertRisk);
  const upgradeable = trouble.operator && !trouble.unseenByOperator ? [OPERATOR_RISK] : [];
  const versions = new Map<string, readonly string[]>([
    ...alerts.map((risk) => [textAt(risk, "name") ?? "", [PATCH, TARGET]] as const),
    ...upgradeable.map((risk) => [textAt(risk, "name") ?? "", [TARGET]] as const),
  ]);
  const { updates } = mergeRisks(buildOffers(trouble), [...alerts, ...upgradeable], versions);
  const evaluated = recomputeConditions(updates, {
    present: updates,
    presentRisks: [],
    proposedRecommended: new Map(),
    changedVersions: new Set([PATCH, TARGET]),
    accepted: new Set(),
    fields: ALL_FIELDS,
    now: NOW,
  });
  return {
    availableUpdates: evaluated.available.length > 0 ? evaluated.available : null,
    conditionalUpdates: evaluated.conditional,
    conditionalUpdateRisks: buildConditionalUpdateRisks(evaluated.conditional, [], () => true),
  };
}

const OPERATOR_RISK: JsonObject = {
  name: "ClusterOperatorUpgradeable-storage",
  message: "The volumes are too old.",
  url: "https://docs.redhat.com/",
  matchingRules: [{ type: "Always" }],
};

function buildAlertRisk({ name, summary, about }: FiringAlert): JsonObject {
  const lastTransitionTime = "2026-02-01T00:00:00Z";
  return {
    name,
    message: summary.endsWith(".") ? summary : `${summary}.`,
    url: "https://docs.redhat.com/",
    matchingRules: [{ type: "Always" }],
    conditions: [{ type: "Applies", status: "True", reason: "Alert:firing", message: about, lastTransitionTime }],
  };
}

function buildOffers({ published }: Trouble): ClusterUpdates {
  if (!published) return { available: [release(PATCH), release(TARGET)], conditional: [] };
  const risk = foreign("PublishedAndMatching");
  const message = `${textAt(risk, "message") ?? ""} ${textAt(risk, "url") ?? ""}`;
  const recommended = { status: "False", reason: "PublishedAndMatching", message };
  return { available: [release(PATCH)], conditional: [conditional(TARGET, [risk], recommended)] };
}
