import type { Context, RiskText } from "./check.ts";
import { leavesMinor, minorPlace, minorText } from "./version.ts";

/** What the cluster-version operator lifts only for updates that leave the minor. */
const FAMILY_UPGRADEABLE = /^(?:ClusterOperatorUpgradeable-|AdminAck-|ClusterVersionOverrides$)/;
/** An acknowledgement is asked for by one release alone. */
const GATE_OF = /^AdminAck-ack-(\d+\.\d+)-/;

/** The first releases whose cluster-version operator makes risks of what keeps a cluster from updates; alerts came one release before. */
const LIFTS_ALERTS = minorPlace({ major: 4, minor: 22 });
const LIFTS_UPGRADEABLE = minorPlace({ major: 4, minor: 23 });

/** Does the running cluster-version operator lift the same as this risk by itself, for this update? */
export function isLifted({ liftedAs }: Pick<RiskText, "liftedAs">, context: Context): boolean {
  if (liftedAs === undefined || context.platform !== "openshift") return false;
  const release = minorPlace(context.source);
  if (!FAMILY_UPGRADEABLE.test(liftedAs)) return release >= LIFTS_ALERTS;
  if (release < LIFTS_UPGRADEABLE || !leavesMinor(context)) return false;
  const gateOf = GATE_OF.exec(liftedAs)?.[1];
  return gateOf === undefined || gateOf === minorText(context.source);
}
