import assert from "node:assert/strict";
import { checks } from "../../src/checks/index.ts";
import { buildConditionalUpdateRisks } from "../../src/lift/lift.ts";
import { type ClusterUpdates, nameOf, releaseOf } from "../../src/lift/objects/cluster-version.ts";
import { recomputeConditions } from "../../src/lift/update-conditions.ts";
import { mergeRisks } from "../../src/lift/risk-merge.ts";
import { type JsonObject, textAt } from "../../src/model/json.ts";
import type { UpdateVersions } from "../../src/model/cluster-version-risks.ts";
import { buildRiskAlerts, buildUnseenAlerts } from "../../tools/alerts/risk-alerts.ts";
import { ALL_FIELDS, NOW, conditional, foreign, release } from "./status-sample.ts";

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

/** Of the risks of preflights, as they are shipped. */
export const RULES = [...checks.flatMap(buildRiskAlerts), ...buildUnseenAlerts()];

/** The alert on a preflight's risk as Prometheus fills it in. */
export function findRiskAlert(risk: string, { source, target }: UpdateVersions): FiringAlert {
  const rule = RULES.find(({ alert }) => alert === risk);
  assert.ok(rule, `there is no alert ${risk}`);
  const summary = rule.annotations.summary
    .replace("{{ $labels.source }}", source)
    .replace("{{ $labels.target }}", target);
  return { name: rule.alert, summary, about: `${risk} alert firing` };
}

/** What a source of risks returns, in the shape of the operator's pkg/risk.Source: risks, and by name the versions that have them. */
export type SourceRisks = {
  readonly risks: readonly JsonObject[];
  readonly versions: Readonly<Record<string, readonly string[]>>;
};

/** What the cluster-version operator makes its lists of updates and risks from. */
export type OperatorSources = {
  readonly source: string;
  /** What the update service offers, with its risks' Applies conditions as the operator evaluated them. */
  readonly offers: ClusterUpdates;
  /** On every offered version. */
  readonly alerts: readonly FiringAlert[];
  /** On versions of another minor. */
  readonly upgradeable: readonly JsonObject[];
  readonly accepted: readonly string[];
  /** From a reader of a preflight's document. */
  readonly preflight?: SourceRisks;
};

/**
 * The lists that the operator writes to ClusterVersion's status, from its own sources and from nothing else. `present` has the transition
 * times of Recommended, which it keeps; a rule Always applies anew at each sync.
 */
export function buildUpdateLists(
  { source, offers, alerts, upgradeable, accepted, preflight }: OperatorSources,
  present: ClusterUpdates,
  now: Date,
): JsonObject {
  const all = [...offers.available, ...offers.conditional.map(releaseOf)].map((one) => textAt(one, "version") ?? "");
  const later = all.filter((version) => getMinor(version) !== getMinor(source));
  const alertRisks = alerts.map(buildAlertRisk);
  const versions = new Map<string, readonly string[]>([
    ...alertRisks.map((risk) => [nameOf(risk), all] as const),
    ...upgradeable.map((risk) => [nameOf(risk), later] as const),
    ...Object.entries(preflight?.versions ?? {}),
  ]);
  const { updates } = mergeRisks(offers, [...alertRisks, ...upgradeable, ...(preflight?.risks ?? [])], versions);
  const evaluated = recomputeConditions(updates, {
    present: { available: present.available, conditional: [...present.conditional, ...offers.conditional] },
    presentRisks: [],
    proposedRecommended: new Map(),
    changedVersions: new Set(all),
    accepted: new Set(accepted),
    fields: ALL_FIELDS,
    now,
  });
  const risks = buildConditionalUpdateRisks(evaluated.conditional, [], () => true);
  return {
    availableUpdates: evaluated.available.length > 0 ? evaluated.available : null,
    ...(evaluated.conditional.length > 0 ? { conditionalUpdates: evaluated.conditional } : {}),
    ...(risks.length > 0 ? { conditionalUpdateRisks: risks } : {}),
  };
}

function getMinor(version: string): string {
  return version.split(".", 2).join(".");
}

/** The operator's lists in a cluster with this trouble. */
export function buildOperatorLists(trouble: Trouble, ours: readonly FiringAlert[]): JsonObject {
  const offers = buildOffers(trouble);
  const sources = {
    source: SOURCE,
    offers,
    alerts: [...listPlatformAlerts(trouble), ...ours],
    upgradeable: listUpgradeableRisks(trouble),
    accepted: [],
  };
  return buildUpdateLists(sources, offers, NOW);
}

/** The alerts of the platform. */
export function listPlatformAlerts(trouble: Trouble): readonly FiringAlert[] {
  return [
    ...(trouble.alert ? [FOREIGN_ALERT] : []),
    ...(trouble.budget && !trouble.unseenByOperator ? [BUDGET_ALERT] : []),
  ];
}

export function listUpgradeableRisks(trouble: Trouble): readonly JsonObject[] {
  return trouble.operator && !trouble.unseenByOperator ? [OPERATOR_RISK] : [];
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

export function buildOffers({ published }: Trouble): ClusterUpdates {
  if (!published) return { available: [release(PATCH), release(TARGET)], conditional: [] };
  const risk = foreign("PublishedAndMatching");
  const message = `${textAt(risk, "message") ?? ""} ${textAt(risk, "url") ?? ""}`;
  const recommended = { status: "False", reason: "PublishedAndMatching", message };
  return { available: [release(PATCH)], conditional: [conditional(TARGET, [risk], recommended)] };
}
