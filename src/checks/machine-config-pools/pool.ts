import type { Json, JsonObject } from "../../model/json.ts";
import { at, flagAt, listAt, numberAt, textAt, compareText, objectsAt } from "../../model/json.ts";
import type { ObjectRef } from "../../model/resource.ts";
import { type MaxUnavailable, parseMaxUnavailable, isRequiredPool, buildPoolRef } from "../shared/node.ts";
import type { Finding } from "../../model/check.ts";
import { quoteText, sortNames } from "../../model/text.ts";
import { summarizeTexts, buildNamesNotice } from "../shared/judgements.ts";
import { type Get, get } from "../../model/read.ts";
import { parseTimestamp } from "../../model/time.ts";

/** A condition that is True, with the operator's message. */
type PoolCondition = { readonly type: string; readonly message: string };

/** The fields of a MachineConfigPool that matter here. */
export type MachineConfigPool = {
  readonly object: ObjectRef;
  /** The update waits for these pools. */
  readonly isRequired: boolean;
  readonly isPaused: boolean;
  /** False only if its status reports that it has no nodes. */
  readonly hasNodes: boolean;
  /** Some node doesn't have the pool's current configuration. */
  readonly isBehind: boolean;
  readonly maxUnavailable: MaxUnavailable;
  /** As many nodes are unavailable as maxUnavailable allows. */
  readonly isAtMaxUnavailable: boolean;
  /** Has the operator reported yet whether the pool is degraded? */
  readonly isReported: boolean;
  readonly conditions: readonly PoolCondition[];
};

export function keepMachineConfigPool(object: JsonObject): MachineConfigPool {
  const machines = numberAt(object, "status", "machineCount");
  const conditions = objectsAt(object, "status", "conditions");
  const maxUnavailable = parseMaxUnavailable(at(object, "spec", "maxUnavailable"), machines ?? 0);
  return {
    object: buildPoolRef(textAt(object, "metadata", "name") ?? ""),
    isRequired: isRequiredPool(object),
    isPaused: flagAt(object, "spec", "paused") === true,
    hasNodes: machines !== 0,
    isBehind: isBehind(object),
    maxUnavailable,
    isAtMaxUnavailable:
      maxUnavailable.kind === "nodes" &&
      (numberAt(object, "status", "unavailableMachineCount") ?? 0) >= maxUnavailable.nodes,
    isReported: conditions.some((one) => textAt(one, "type") === "Degraded"),
    conditions: conditions.filter((one) => textAt(one, "status") === "True").map(parseCondition),
  };
}

function isBehind(object: JsonObject): boolean {
  const machines = at(object, "status", "machineCount");
  const updated = at(object, "status", "updatedMachineCount");
  const desired = getConfigurationName(object, "spec");
  const current = getConfigurationName(object, "status");
  return updated !== machines || desired !== current;
}

function getConfigurationName(object: JsonObject, section: "spec" | "status"): Json | undefined {
  return at(object, section, "configuration", "name");
}

function parseCondition(condition: JsonObject): PoolCondition {
  return { type: textAt(condition, "type") ?? "", message: textAt(condition, "message") ?? "" };
}

export function hasCondition({ conditions }: MachineConfigPool, type: string): boolean {
  return conditions.some((condition) => condition.type === type);
}

/** The causes of a degraded pool: the conditions that Degraded sums up, or Degraded alone. */
export function selectDegradedConditions(pool: MachineConfigPool): readonly PoolCondition[] {
  const degraded = pool.conditions.filter(({ type }) => type.endsWith("Degraded"));
  const causes = degraded.filter(({ type }) => type !== "Degraded");
  return causes.length > 0 ? causes : degraded;
}

/** The longest quotation; a text about several conditions divides it among them. */
const MAX_QUOTE_LENGTH = 240;

/** What the machine-config operator writes of each node; the text is a Go string literal. */
const NODE_REPORT = /Node (\S+) is reporting: "((?:[^"\\]|\\.)*)"/g;

/** What it reports of a drain that it gave up. */
const FAILED_DRAIN = /^failed to drain node ?: ?\S+ (after [\w ]+)/;

/** 'Node worker-c: "disk failed"', "7 nodes can't be drained, first worker-c: failed to drain after 1 hour", or the message itself. */
export function formatDegradation(message: string, maxLength = MAX_QUOTE_LENGTH): string {
  const reports = [...message.matchAll(NODE_REPORT)]
    .map(([, node = "", text = ""]) => ({ node, text: text.replaceAll(String.raw`\n`, " ").replaceAll("\\", "") }))
    .toSorted((a, b) => compareText(a.node, b.node));
  const [first] = reports;
  if (first === undefined) return `The operator reports ${formatQuotation(message, maxLength)}`;
  const duration = FAILED_DRAIN.exec(first.text)?.[1];
  const text = duration === undefined ? formatQuotation(first.text, maxLength) : `failed to drain ${duration}`;
  if (reports.length === 1) return `Node ${first.node}: ${text}`;
  const are = reports.every((report) => FAILED_DRAIN.test(report.text)) ? "can't be drained" : "are degraded";
  return `${reports.length} nodes ${are}, first ${first.node}: ${text}`;
}

/** 'Node infra-a: "disk validation failed"', or several with their pools: of the conditions that have a message. */
export function formatDegradations(findings: readonly Finding[]): string {
  const reported = findings.flatMap(({ object, detail }) =>
    detail?.["message"] === undefined ? [] : [{ pool: object.name, message: detail["message"] }],
  );
  if (reported.length === 1) return reported.map(({ message }) => formatDegradation(message)).join("");
  return summarizeTexts(
    reported,
    MAX_QUOTE_LENGTH,
    ({ pool, message }, longest) => `${pool} (${formatDegradation(message, longest)})`,
  );
}

/** The first sentence. */
function formatQuotation(text: string, maxLength: number): string {
  const [sentence = ""] = text.trim().split(/(?<=[.!?])\s/, 1);
  return quoteText(sentence, maxLength);
}

/** The bundle of the CAs that kubelets use to verify the API server. The platform rotates all of them. */
const BUNDLE = "KubeAPIServerServingCAData";
/** An update with all its nodes takes hours. */
const UPDATE_MS = 24 * 60 * 60_000;

/** An authority, without the time of its rotation; `notAfter` is that of its newest certificate. */
type Authority = { readonly name: string; readonly notAfter: number };

export function buildCertificatesRead(): Get<readonly Authority[]> {
  return get("machineconfiguration.openshift.io/v1/controllerconfigs", "machine-config-controller", keepAuthorities);
}

/** "CN=openshift-kube-apiserver-operator_kube-apiserver-to-kubelet-signer@1767225600" replaces "CN=kube-apiserver-to-kubelet-signer". */
export function keepAuthorities(controllerConfig: JsonObject): readonly Authority[] {
  const certificates = listAt(controllerConfig, "status", "controllerCertificates").flatMap((certificate) => {
    const notAfter = parseTimestamp(textAt(certificate, "notAfter"));
    const name = /^CN=(?:[^,_]*_)?([^,@]+)/.exec(textAt(certificate, "subject") ?? "")?.[1];
    if (textAt(certificate, "bundleFile") !== BUNDLE || notAfter === undefined || name === undefined) return [];
    return [{ name, notAfter }];
  });
  const groups = Map.groupBy(certificates, ({ name }) => name);
  return [...groups].map(([name, group]) => ({ name, notAfter: Math.max(...group.map((one) => one.notAfter)) }));
}

export function buildCertificateNotices(authorities: readonly Authority[], now: Date): readonly string[] {
  const ending = authorities.filter(({ notAfter }) => notAfter - now.getTime() < UPDATE_MS);
  return buildNamesNotice(
    sortNames(ending.map(({ name }) => name)),
    (names) =>
      `The CAs that kubelets use to verify the API server have expired or expire within a day: ${names}. ControllerConfig machine-config-controller has no newer ones. Update once "oc get controllerconfig machine-config-controller -o yaml" shows later times. "oc get clusteroperator kube-apiserver machine-config" may say why they are not renewed.`,
  );
}
