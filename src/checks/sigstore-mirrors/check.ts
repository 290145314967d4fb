import { buildAcknowledgement, buildAckRead, noteAbsentAcks } from "../shared/acknowledgements.ts";
import { readRisks } from "../shared/risks.ts";
import { type JsonObject, textAt, compareText } from "../../model/json.ts";
import { type GetResult, get, valuesOf } from "../../model/read.ts";
import { type Judgement, type Unknown, defineCheck } from "../../model/check.ts";
import { joinNames } from "../../model/text.ts";
import { formatRef } from "../../model/resource.ts";
import { type ReleaseMirror, RELEASES, buildMirrorReads } from "../shared/release-mirrors.ts";
import { isHosted, buildTopologyRead } from "../../model/infrastructure.ts";

const risks = readRisks("sigstore-mirrors", {
  ReleaseMirrorsNeedSignatures: {
    fixKind: "weakening",
    fix: (finding, { platform }) => buildAcknowledgement(finding, platform, GATE),
  },
});

/** The machine-config operator of 4.20 adds this gate to every cluster with mirrors, whatever they mirror. */
const GATE = "ack-4.20-sigstore-in-4.21";

/** The gate's text. */
function keepGate(configMap: JsonObject): string {
  return textAt(configMap, "data", GATE) ?? "";
}

/** `pending`: the cluster-version operator waits for the acknowledgement. `acknowledged`: even if no gate exists. */
type GateState = "acknowledged" | "pending" | "absent";

function getGateState(gates: GetResult<string>, acks: GetResult<boolean>): GateState {
  if (acks.kind === "found" && acks.value) return "acknowledged";
  return gates.kind === "found" && gates.value !== "" ? "pending" : "absent";
}

export default defineCheck({
  id: "sigstore-mirrors",
  name: "ReleaseSignaturesNotMirrored",
  title: "Mirrors of release images contain Sigstore signatures",
  risks: Object.values(risks),
  applies: { kind: "crosses", minor: "4.21" },
  reads: () => ({
    ...buildMirrorReads(),
    gates: get("v1/configmaps", "openshift-config-managed/admin-gates", keepGate),
    acks: buildAckRead(GATE),
    topology: buildTopologyRead(),
  }),
  evaluate: ({ sets, policies, gates, acks, topology }) => {
    if (isHosted(topology))
      return { notApplicable: "Hosted clusters don't get the policy that requires signed release images." };
    return judge([...valuesOf(sets), ...valuesOf(policies)].flat(), getGateState(gates, acks), acks.kind === "absent");
  },
});

function judge(mirrors: readonly ReleaseMirror[], gate: GateState, areAcksAbsent: boolean): Judgement {
  const unreadable = mirrors.filter(({ kind }) => kind === "unreadable");
  const releases = mirrors.filter(({ kind }) => kind === "releases");
  const unknowns = unreadable.map(({ object, path }): Unknown => ({
    reason: "NotUnderstood",
    where: `${formatRef(object)} ${path}`,
    message: "the check can't tell which images it mirrors",
  }));
  if (gate === "acknowledged") return {};
  if (gate === "pending") return { notices: [buildGateNotice(releases)], unknowns };
  const message = `It mirrors ${RELEASES}, whose images must be signed from 4.21 on.`;
  const findings = releases.map(({ object, path }) => ({
    risk: risks.ReleaseMirrorsNeedSignatures.name,
    object,
    path,
    message,
  }));
  return { findings: noteAbsentAcks(findings, areAcksAbsent), unknowns };
}

/** Another check reports the gate itself; this notice says which mirrors its acknowledgement concerns. */
function buildGateNotice(releases: readonly ReleaseMirror[]): string {
  const names = [...new Set(releases.map(({ object }) => formatRef(object)))].toSorted(compareText);
  const requirement = `Before the update to 4.21, the gate ${GATE} requires you to acknowledge that mirrors have the Sigstore signatures of release images`;
  return names.length === 0
    ? `${requirement}: no mirror of this cluster covers ${RELEASES}.`
    : `${requirement}: the mirrors of ${RELEASES} are in ${joinNames(names)}.`;
}
