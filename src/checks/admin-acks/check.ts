import { type Context, type Judgement, defineCheck } from "../../model/check.ts";
import type { Get, ReadResults } from "../../model/read.ts";
import { buildCurrentGateFindings } from "./current-gates.ts";
import { ADMIN_GATES, configMapReads, type ConfigMapData, getData } from "./config-maps.ts";
import { buildUpcomingGateFindings, buildUpcomingGateNotices, selectUpcomingGates } from "./upcoming-gates.ts";
import { adminAckMissing, adminAckMissingOnTheWay, adminGateInvalid } from "./risks.ts";
import { type TriggerReads, buildAllTriggerReads, getTriggerFacts, selectTriggerReads } from "./trigger-facts.ts";

type Reads = { readonly gates: Get<ConfigMapData>; readonly acks: Get<ConfigMapData> };

export default defineCheck<Reads, TriggerReads>({
  id: "admin-acks",
  name: "AdminAcks",
  title: "What the releases up to the target ask the administrator to acknowledge is acknowledged",
  risks: [adminAckMissing, adminAckMissingOnTheWay, adminGateInvalid],
  applies: { kind: "leavesMinor" },
  needsManifests: false,
  reads: () => configMapReads,
  mayRead: buildAllTriggerReads,
  follow: ({ gates, acks }, context) => selectTriggerReads(selectUpcomingGates(getData(gates), getData(acks), context)),
  evaluate: judge,
});

function judge(
  { gates, acks }: ReadResults<Reads>,
  context: Context,
  followed: Partial<ReadResults<TriggerReads>>,
): Judgement {
  const [gateData, ackData] = [getData(gates), getData(acks)];
  const upcoming = selectUpcomingGates(gateData, ackData, context);
  const facts = getTriggerFacts(followed);
  return {
    findings: [
      ...buildCurrentGateFindings(gateData, ackData, context),
      ...buildUpcomingGateFindings(upcoming, ackData, facts),
    ],
    notices: [...buildUpcomingGateNotices(upcoming, facts), ...(gates.kind === "absent" ? [GATES_ABSENT_NOTICE] : [])],
  };
}

const GATES_ABSENT_NOTICE = `There is no ConfigMap ${ADMIN_GATES}, which the cluster-version operator makes again within minutes: what the running release asks for can't be seen until then.`;
