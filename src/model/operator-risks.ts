import type { Finding } from "./check.ts";

/** What `oc adm upgrade recommend` calls the conditions of an offered update: each has a name of its own. */
export const CONDITIONAL_UPDATE_RISK = "ConditionalUpdateRisk";

/**
 * The name that the cluster-version operator gives the risk of one finding. A family such as "ClusterOperatorUpgradeable-*" names the
 * ClusterOperator, "AdminAck-<gate>" the gate; undefined if the finding has none.
 */
export function getOperatorRiskName(liftedAs: string, { object, detail }: Finding): string | undefined {
  if (liftedAs === CONDITIONAL_UPDATE_RISK) return detail?.["name"];
  const placeholder = /(?:\*|<\w+>)$/.exec(liftedAs)?.[0];
  if (placeholder === undefined) return liftedAs;
  const own = object.kind === "ClusterOperator" ? object.name : detail?.["clusterOperator"];
  const value = placeholder === "*" ? own : detail?.["gate"];
  return value === undefined ? undefined : liftedAs.replace(placeholder, value);
}
