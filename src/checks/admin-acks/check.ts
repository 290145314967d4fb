import { type Context, type Judgement, defineCheck } from "../../model/check.ts";
import type { Get, Values } from "../../model/read.ts";
import { askedFindings } from "./asked.ts";
import { ADMIN_GATES, configMapReads, type Data, dataOf } from "./config-maps.ts";
import { aheadFindings, aheadNotices, gatesAhead } from "./on-the-way.ts";
import { ackMissing, ackMissingOnTheWay, gateInvalid } from "./risks.ts";
import { type StateReads, allStateReads, stateOf, stateReads } from "./state.ts";

type Reads = { readonly gates: Get<Data>; readonly acks: Get<Data> };

export default defineCheck<Reads, StateReads>({
  id: "admin-acks",
  name: "AdminAcks",
  title: "What the releases up to the target ask the administrator to acknowledge is acknowledged",
  risks: [ackMissing, ackMissingOnTheWay, gateInvalid],
  applies: { kind: "leavesMinor" },
  needsManifests: false,
  reads: () => configMapReads,
  mayRead: allStateReads,
  follow: ({ gates, acks }, context) => stateReads(gatesAhead(dataOf(gates), dataOf(acks), context)),
  evaluate: judge,
});

function judge({ gates, acks }: Values<Reads>, context: Context, followed: Partial<Values<StateReads>>): Judgement {
  const [asking, given] = [dataOf(gates), dataOf(acks)];
  const ahead = gatesAhead(asking, given, context);
  const state = stateOf(followed);
  return {
    findings: [...askedFindings(asking, given, context), ...aheadFindings(ahead, given, state)],
    notices: [...aheadNotices(ahead, state), ...(gates.kind === "absent" ? [absentNotice] : [])],
  };
}

const absentNotice = `There is no ConfigMap ${ADMIN_GATES}, which the cluster-version operator makes again within minutes: what the running release asks for can't be seen until then.`;
