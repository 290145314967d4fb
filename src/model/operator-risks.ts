import type { Context, RiskText } from "./check.ts";
import { leavesMinor, getMinorOrdinal, formatMinor } from "./version.ts";

/** Risks that the cluster-version operator reports only for updates to another minor. */
const UPGRADEABLE_FAMILY = /^(?:ClusterOperatorUpgradeable-|AdminAck-|ClusterVersion(?:Overrides|Updating)$)/;
/** An acknowledgement is required by one release only. */
const ADMIN_ACK_GATE = /^AdminAck-ack-(\d+\.\d+)-/;

/** The first releases whose cluster-version operator turns alerts and Upgradeable=False into risks. */
const FIRST_WITH_ALERT_RISKS = getMinorOrdinal({ major: 4, minor: 22 });
const FIRST_WITH_UPGRADEABLE_RISKS = getMinorOrdinal({ major: 4, minor: 23 });

/** What `oc adm upgrade recommend` calls the conditions of an offered update, which every operator evaluates that knows them. */
const CONDITIONAL_UPDATE_RISK = "ConditionalUpdateRisk";
const FIRST_WITH_CONDITIONAL_UPDATES = getMinorOrdinal({ major: 4, minor: 10 });

/** Whether the running cluster-version operator reports this risk itself for this update. */
export function isOperatorRisk({ liftedAs }: Pick<RiskText, "liftedAs">, context: Context): boolean {
  if (liftedAs === undefined || context.platform !== "openshift") return false;
  const release = getMinorOrdinal(context.source);
  if (liftedAs === CONDITIONAL_UPDATE_RISK) return release >= FIRST_WITH_CONDITIONAL_UPDATES;
  if (!UPGRADEABLE_FAMILY.test(liftedAs)) return release >= FIRST_WITH_ALERT_RISKS;
  if (release < FIRST_WITH_UPGRADEABLE_RISKS || !leavesMinor(context)) return false;
  const gateRelease = ADMIN_ACK_GATE.exec(liftedAs)?.[1];
  return gateRelease === undefined || gateRelease === formatMinor(context.source);
}
