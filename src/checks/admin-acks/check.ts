import { noteAbsentAcks } from "../shared/acknowledgements.ts";
import { type Context, type Judgement, defineCheck } from "../../model/check.ts";
import type { Get, ReadResults } from "../../model/read.ts";
import {
  buildCurrentGateFindings,
  buildUpcomingGateFindings,
  buildUpcomingGateNotices,
  selectUpcomingGates,
} from "./current-gates.ts";
import { ADMIN_GATES, configMapReads, type ConfigMapData, getData } from "./config-maps.ts";
import { risks } from "./risks.ts";
import { type TriggerFacts, buildAllTriggerReads, selectTriggerReads } from "./trigger-facts.ts";

type FirstReads = { readonly gates: Get<ConfigMapData>; readonly acks: Get<ConfigMapData> };

export default defineCheck({
  id: "admin-acks",
  title: "All acknowledgements that the releases up to the target require are given",
  risks: Object.values(risks),
  applies: { kind: "leavesMinor" },
  seenAfterUpdate: "Each release has its own changes to acknowledge.",
  special: { isKnownAhead: true },
  reads: () => configMapReads,
  mayRead: buildAllTriggerReads,
  follow: ({ gates, acks }, context) => selectTriggerReads(selectUpcomingGates(getData(gates), getData(acks), context)),
  evaluate: judge,
});

function judge({ gates, acks }: ReadResults<FirstReads>, context: Context, facts: TriggerFacts): Judgement {
  const gateData = getData(gates);
  const ackData = getData(acks);
  const upcoming = selectUpcomingGates(gateData, ackData, context);
  return {
    findings: noteAbsentAcks(
      [...buildCurrentGateFindings(gateData, ackData, context), ...buildUpcomingGateFindings(upcoming, ackData, facts)],
      acks.kind === "absent",
    ),
    notices: [
      ...buildUpcomingGateNotices(upcoming, facts),
      ...(gates.kind === "absent" ? [describeAbsentGates()] : []),
    ],
  };
}

function describeAbsentGates(): string {
  return `ConfigMap ${ADMIN_GATES} does not exist, so the acknowledgements that the running release requires are unknown. The cluster-version operator recreates it within minutes: run the check again then.`;
}
