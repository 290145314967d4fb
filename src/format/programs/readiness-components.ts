import type { OlmOperator } from "../../model/olm-operator.ts";
import { toLine } from "../../model/visible-text.ts";

/** In the page's words: all clear, warnings only, blockers found, not enough is known. */
export type ReadinessDecision = "recommend" | "caution" | "block" | "escalate";

export type RowStatus = "pass" | "warn" | "fail" | "error";

/** A line of the table of checks. */
export type ReadinessRow = { readonly name: string; readonly status: RowStatus; readonly detail: string };

export type FindingComponent = {
  readonly type: "ota_finding";
  readonly severity: "blocker" | "warning" | "info";
  readonly check: string;
  readonly detail: string;
  readonly affectedResources?: readonly string[];
  /** Without one, an earlier page counts the finding as nothing to do. */
  readonly prerequisite?: string;
  readonly verifyCommand?: string;
};

export function buildSummary(decision: ReadinessDecision, rows: readonly ReadinessRow[]): object {
  const checks = rows.map(({ name, status, detail }) => ({ name: toLine(name), status, detail: toLine(detail) }));
  return { type: "ota_readiness_summary", decision, checks };
}

/** Nothing if no operator is known: the page then shows none. */
export function buildOperatorStatus(operators: readonly OlmOperator[]): readonly object[] {
  if (operators.length === 0) return [];
  const count = (isOne: (one: OlmOperator) => boolean): number => operators.filter(isOne).length;
  return [
    {
      type: "ota_olm_operator_status",
      operators: operators.map(buildOperator),
      summary: {
        totalOperators: operators.length,
        pendingUpgrades: count(({ subscription }) => subscription?.next !== undefined),
        manualApproval: count(({ subscription }) => subscription?.approval === "Manual"),
        incompatibleWithTarget: count(({ supportsTarget }) => supportsTarget === false),
      },
    },
  ];
}

/** An operator without a last release is neither compatible nor incompatible: nobody has said so. */
function buildOperator({ name, namespace, version, subscription, lastRelease, supportsTarget }: OlmOperator): object {
  return {
    name,
    namespace,
    installedVersion: version,
    channel: subscription?.channel,
    source: subscription?.source,
    installPlanApproval: subscription?.approval,
    pendingUpgrade: subscription && subscription.next !== undefined,
    pendingVersion: subscription?.next,
    compatibleWithTarget: supportsTarget,
    ocpCompat: lastRelease === undefined ? undefined : { max: lastRelease },
  };
}
