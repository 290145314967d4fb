import type { Context, RiskText } from "./check.ts";
import { leavesMinor, getMinorOrdinal, formatMinor } from "./version.ts";

/** What the cluster-version operator lifts only for updates that leave the minor. */
const UPGRADEABLE_FAMILY = /^(?:ClusterOperatorUpgradeable-|AdminAck-|ClusterVersionOverrides$)/;
/** An acknowledgement is asked for by one release alone. */
const ADMIN_ACK_GATE = /^AdminAck-ack-(\d+\.\d+)-/;

/** The first releases whose cluster-version operator makes risks of what keeps a cluster from updates; alerts came one release before. */
const FIRST_WITH_ALERT_RISKS = getMinorOrdinal({ major: 4, minor: 22 });
const FIRST_WITH_UPGRADEABLE_RISKS = getMinorOrdinal({ major: 4, minor: 23 });

/** Does the running cluster-version operator lift the same as this risk by itself, for this update? */
export function isOperatorRisk({ liftedAs }: Pick<RiskText, "liftedAs">, context: Context): boolean {
  if (liftedAs === undefined || context.platform !== "openshift") return false;
  const release = getMinorOrdinal(context.source);
  if (!UPGRADEABLE_FAMILY.test(liftedAs)) return release >= FIRST_WITH_ALERT_RISKS;
  if (release < FIRST_WITH_UPGRADEABLE_RISKS || !leavesMinor(context)) return false;
  const gateRelease = ADMIN_ACK_GATE.exec(liftedAs)?.[1];
  return gateRelease === undefined || gateRelease === formatMinor(context.source);
}
