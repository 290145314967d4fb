import { type Context, type Finding, type Judgement, defineCheck } from "../../model/check.ts";
import { buildAcknowledgement, noteAbsentAcks } from "../shared/acknowledgements.ts";
import { nameOnly } from "../shared/only-detail.ts";
import { readRisks } from "../shared/risks.ts";
import { type Get, type ReadResults, type GetResult, get } from "../../model/read.ts";
import { type TriggerFacts, type Gate, buildAllTriggerReads, selectTriggerReads, GATES, predictGate } from "./gates.ts";
import { quote } from "../../model/text.ts";
import { getMinorOrdinal, formatMinor, parseMinor } from "../../model/version.ts";
import { type JsonObject, isObject, objectAt } from "../../model/json.ts";
import { type ObjectRef, buildConfigMapRef } from "../../model/resource.ts";

const nameGate = nameOnly(({ detail }) => detail?.["gate"], "GATE");

function ack(context?: Context, findings?: readonly Finding[]): string {
  return `"oc -n openshift-config patch configmap admin-acks --type=merge -p '{"data":{"${nameGate(context, findings)}":"true"}}'"`;
}

const risks = readRisks("admin-acks", {
  AdminAckMissing: { remediation: { ack }, fixKind: "weakening", fix: acknowledge },
  AdminAckMissingOnTheWay: { remediation: { ack }, fixKind: "weakening", fix: acknowledge },
  AdminGateInvalid: {},
});

function acknowledge(finding: Finding, { platform }: Context): readonly string[] {
  return buildAcknowledgement(finding, platform, finding.detail?.["gate"] ?? "<gate>");
}

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

/** A gate's name by the cluster-version operator's rule: it begins with the gate's release, whose minor has no leading zero. */
const GATE_NAME = /^ack-([45]\.(?:0|[1-9]\d{0,3}))-[^-]/;
const MAX_QUOTE_LENGTH = 160;

/** The missing acknowledgements of the gates that the cluster has now. A gate's release is compared literally: 4.23 is not 5.0. */
export function buildCurrentGateFindings(
  gates: ConfigMapData,
  acks: ConfigMapData,
  context: Context,
): readonly Finding[] {
  return [...gates].flatMap(([gate, text]) => {
    const minor = GATE_NAME.exec(gate)?.[1];
    if (minor === undefined) return [buildInvalidGateFinding(gate, "its name does not have the form ack-4.19-name")];
    const risk = findRiskName(minor, context);
    if (risk === undefined) return [];
    if (text === "")
      return risk === risks.AdminAckMissing.name ? [buildInvalidGateFinding(gate, "its text is empty")] : [];
    return isAcknowledged(acks, gate) ? [] : [buildGateFinding(risk, gate, acks, text)];
  });
}

function buildGateFinding(risk: string, gate: string, acks: ConfigMapData, text: string): Finding {
  const finding = buildMissingAckFinding(risk, gate, acks, `The gate reads: "${quote(text, MAX_QUOTE_LENGTH)}"`);
  return { ...finding, detail: { gate, message: text } };
}

function findRiskName(minor: string, context: Context): string | undefined {
  if (minor === formatMinor(context.source)) return risks.AdminAckMissing.name;
  return isIntermediateMinor(minor, context) ? risks.AdminAckMissingOnTheWay.name : undefined;
}

/** Whether a release comes after the running one and before the target. In a plan, the update may start from such a release itself. */
function isIntermediateMinor(minor: string, { source, target, special }: Context): boolean {
  const parsed = parseMinor(minor);
  if (!parsed) return false;
  const ordinal = getMinorOrdinal(parsed);
  const { running } = special;
  const isAhead = running !== undefined && getMinorOrdinal(running) < ordinal && ordinal === getMinorOrdinal(source);
  return (isAhead || getMinorOrdinal(source) < ordinal) && ordinal < getMinorOrdinal(target);
}

/** `about` is a sentence without its full stop. */
function buildMissingAckFinding(risk: string, gate: string, acks: ConfigMapData, about: string): Finding {
  const value = acks.get(gate);
  const invalid =
    value === undefined ? "" : ` Its value is "${quote(value, MAX_QUOTE_LENGTH)}", and only "true" counts.`;
  const message = `${gate} is not acknowledged.${invalid} ${about}.`;
  return { risk, object: acksRef, path: `data.${gate}`, message, detail: { gate } };
}

function buildInvalidGateFinding(gate: string, why: string): Finding {
  const message = `The cluster-version operator rejects the gate ${gate}: ${why}.`;
  return { risk: risks.AdminGateInvalid.name, object: gatesRef, path: `data.${gate}`, message, detail: { gate } };
}

/** Gates of the releases between source and target that are neither acknowledged nor already on the cluster. */
export function selectUpcomingGates(gates: ConfigMapData, acks: ConfigMapData, context: Context): readonly Gate[] {
  return GATES.filter(
    ({ name, minor }) => isIntermediateMinor(minor, context) && !gates.get(name) && !isAcknowledged(acks, name),
  );
}

function buildUpcomingGateFindings(
  upcoming: readonly Gate[],
  acks: ConfigMapData,
  facts: TriggerFacts,
): readonly Finding[] {
  return upcoming
    .filter((gate) => predictGate(gate, facts) === "yes")
    .map(({ name, minor, about }) =>
      buildMissingAckFinding(
        risks.AdminAckMissingOnTheWay.name,
        name,
        acks,
        `${minor} will require it, because ${about}`,
      ),
    );
}

function buildUpcomingGateNotices(upcoming: readonly Gate[], facts: TriggerFacts): readonly string[] {
  return upcoming
    .filter((gate) => predictGate(gate, facts) === "unsure")
    .map(
      ({ name, minor, about }) =>
        `Once the cluster runs ${minor}, one of its operators may require the acknowledgement ${name}, which can't be predicted now: ${about}.`,
    );
}

/** The data of a ConfigMap. */
type ConfigMapData = ReadonlyMap<string, string>;

const ADMIN_GATES = "openshift-config-managed/admin-gates";
const ADMIN_ACKS = "openshift-config/admin-acks";

const gatesRef: ObjectRef = buildConfigMapRef("openshift-config-managed", "admin-gates");
const acksRef: ObjectRef = buildConfigMapRef("openshift-config", "admin-acks");

const configMapReads = {
  gates: get("v1/configmaps", ADMIN_GATES, keepData),
  acks: get("v1/configmaps", ADMIN_ACKS, keepData),
};

export function keepData(configMap: JsonObject): ConfigMapData {
  const data = configMap["data"];
  if (data !== undefined && data !== null && !isObject(data)) throw new Error("its data is not an object");
  return new Map(
    Object.entries(objectAt(configMap, "data")).flatMap(([key, value]) =>
      typeof value === "string" ? [[key, value]] : [],
    ),
  );
}

/** An absent ConfigMap is an empty one. */
function getData(result: GetResult<ConfigMapData>): ConfigMapData {
  return result.kind === "found" ? result.value : new Map();
}

/** The cluster-version operator accepts no other value. */
function isAcknowledged(acks: ConfigMapData, gate: string): boolean {
  return acks.get(gate) === "true";
}
