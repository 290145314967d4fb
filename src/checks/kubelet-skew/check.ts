import type { Context, Finding, Judgement, Unknown } from "../../model/check.ts";
import { formatTarget, defineCheck } from "../../model/check.ts";
import { buildPrefix } from "../../model/commands.ts";
import { type ObjectRef, buildNodeRef, formatRef } from "../../model/resource.ts";
import { MACHINE_CONFIG_ANNOTATIONS, findNodePool, findPoolName, formatNodePools } from "../shared/node.ts";
import { nameOnly } from "../shared/only-detail.ts";
import { readRisks } from "../shared/risks.ts";
import { type GetResult, each, get, onlyOn, valuesOf, withAnnotations } from "../../model/read.ts";
import { joinNames, sortNames } from "../../model/text.ts";
import { mergeJudgements } from "../shared/judgements.ts";
import { type MinorVersion, formatMinor } from "../../model/version.ts";
import { type JsonObject, textAt, at, listAt, numberAt } from "../../model/json.ts";

const KUBE_PROXY: ObjectRef = {
  apiVersion: "apps/v1",
  kind: "DaemonSet",
  namespace: "kube-system",
  name: "kube-proxy",
};

const risks = readRisks("kubelet-skew", {
  KubeletNewerThanTarget: {},
  KubeletTooOldForNextMinor: {
    message: { oldest: formatOldest },
    remediation: {
      pools: (_, findings = []) => formatPools(findings),
      pool: nameOnly(({ detail }) => detail?.["pool"], "NAME"),
    },
    fixKind: "disruptive",
    fix: buildUnpause,
  },
  KubeletTooOldForTarget: {
    message: {
      oldest: formatOldest,
      paused: formatHeldBack,
    },
    remediation: {
      step: (context) => formatNodeStep(context),
      nodePools: (_, findings = []) => formatNodePools(findings),
    },
    fixKind: "disruptive",
    fix: (finding, context) =>
      isBehindCluster(finding, context) && !context.isHosted ? buildUnpause(finding, context) : [],
  },
  KubeProxyNewerThanTarget: {},
  KubeProxyTooOldForTarget: { message: { oldest: formatOldest } },
  KubernetesMinorSkipped: {},
});

/** What keeps nodes behind, where that is known. */
function formatHeldBack(_: readonly Finding[], { platform, isHosted }: Context): string {
  if (platform !== "openshift") return "";
  return isHosted ? " (their NodePools have an older release)" : " (a paused MachineConfigPool keeps its nodes behind)";
}

/** Kubelets can't be newer than the API server: if the target needs newer ones, only a release in between helps. */
function formatNodeStep(context?: Context): string {
  return context !== undefined && getSupportedRange(context).oldest > context.kubernetes.source
    ? "First"
    : "Update these nodes first, or";
}

/** A paused pool can keep a node behind the cluster, and not at the cluster's own release. */
function isBehindCluster({ detail }: Finding, { platform, kubernetes }: Context): boolean {
  const minor = parseKubeletMinor(detail?.["kubeletVersion"] ?? "");
  return platform === "openshift" && (minor === undefined || minor < kubernetes.source);
}

/** The pool of a node follows from labels that only the machine-config operator weighs up, which names the pool in its annotation. */
function buildUnpause({ detail }: Finding, { platform }: Context): readonly string[] {
  const pool = `machineconfigpool.machineconfiguration.openshift.io/${detail?.["pool"] ?? "<pool>"}`;
  return [`${buildPrefix(platform)} patch ${pool} --type=merge -p '{"spec":{"paused":false}}'`];
}

function listPools(findings: readonly Finding[]): readonly string[] {
  return sortNames(findings.map(({ detail }) => detail?.["pool"] ?? ""));
}

/** "MachineConfigPool infra", as far as each node names its pool. */
function formatPools(findings: readonly Finding[]): string {
  const pools = listPools(findings);
  if (pools.length === 0 || pools.includes("")) return "their MachineConfigPools";
  return `MachineConfigPool${pools.length > 1 ? "s" : ""} ${joinNames(pools)}`;
}

/** "The API server of 5.0.3 (Kubernetes 1.36)". */
function formatApiServer(context: Context): string {
  return `The API server of ${formatTarget(context)}`;
}

function formatOldest(_: readonly Finding[], context: Context): string {
  return `1.${getSupportedRange(context).oldest}`;
}

export default defineCheck({
  id: "kubelet-skew",
  name: "KubeletVersionSkew",
  title: "The target's API server supports every node's kubelet and kube-proxy",
  risks: Object.values(risks),
  applies: { kind: "updates", kinds: ["minor", "rollback"] },
  platforms: ["openshift", "kubernetes"],
  seenAfterUpdate: "The kubelets are updated too, except in paused pools.",
  hosted: { seenAfterUpdate: "The kubelets are updated too, once their NodePools are." },
  reads: () => ({
    nodes: withAnnotations([MACHINE_CONFIG_ANNOTATIONS], each("v1/nodes", keepKubelet)),
    kubeProxy: onlyOn("kubernetes", get("apps/v1/daemonsets", "kube-system/kube-proxy", keepKubeProxy)),
  }),
  evaluate({ nodes, kubeProxy }, context): Judgement {
    const skipped = findSkippedMinors(context);
    if (valuesOf(nodes).length === 0)
      return skipped.length > 0 ? { findings: skipped } : { notApplicable: "The cluster has no nodes." };
    // Nodes of a NodePool show it themselves, where Infrastructure can't be read.
    const isHosted = context.isHosted || valuesOf(nodes).some(({ nodePool }) => nodePool !== undefined);
    const judgements = [judgeKubelets(valuesOf(nodes), { ...context, isHosted }), judgeKubeProxy(kubeProxy, context)];
    return mergeJudgements([...judgements, { findings: skipped }]);
  },
});

type KubeletLimits = KubeletRange & { readonly blockedBelow: number };

function judgeKubelets(kubelets: readonly Kubelet[], context: Context): Judgement {
  const { source } = context.kubernetes;
  const isNextRuleSkipped = kubelets.some(({ minor }) => minor === undefined || minor > source);
  const limits = { ...getSupportedRange(context), blockedBelow: getBlockedBelow(context, isNextRuleSkipped) };
  return {
    findings: kubelets.flatMap((kubelet) => buildKubeletFindings(kubelet, limits, context)),
    unknowns: kubelets.filter(({ minor }) => minor === undefined).map(buildKubeletUnknown),
  };
}

function buildKubeletFindings(kubelet: Kubelet, limits: KubeletLimits, context: Context): readonly Finding[] {
  const risk = kubelet.minor === undefined ? undefined : findRiskName(kubelet.minor, limits);
  if (risk === undefined) return [];
  const message = `Its kubelet is ${kubelet.text}. ${formatApiServer(context)} supports 1.${limits.oldest} to 1.${limits.newest}.`;
  const { pool, nodePool } = kubelet;
  const detail = {
    kubeletVersion: kubelet.text,
    ...(pool === undefined ? {} : { pool }),
    ...(nodePool === undefined ? {} : { nodePool }),
  };
  return [{ risk, object: buildNodeRef(kubelet.node), message, detail }];
}

function findRiskName(minor: number, limits: KubeletLimits): string | undefined {
  if (minor > limits.newest) return risks.KubeletNewerThanTarget.name;
  if (minor >= limits.oldest) return undefined;
  return minor < limits.blockedBelow ? risks.KubeletTooOldForNextMinor.name : risks.KubeletTooOldForTarget.name;
}

function buildKubeletUnknown({ node, text }: Kubelet): Unknown {
  const message = text === "" ? "the node reports none" : `"${text}" is not a version such as v1.34.2`;
  return { reason: "NotUnderstood", where: `Node ${node} status.nodeInfo.kubeletVersion`, message };
}

/** OpenShift's releases lead through each minor by themselves; elsewhere, an administrator picks the next API server. */
function findSkippedMinors({ platform, source, target, update }: Context): readonly Finding[] {
  if (platform === "openshift" || update !== "minor" || target.minor - source.minor < 2) return [];
  const skipped = Array.from({ length: target.minor - source.minor - 1 }, (_, i) => `1.${source.minor + 1 + i}`);
  const message = `It runs ${formatMinor(source)}, and the update skips ${skipped.join(", ")}.`;
  return [
    {
      risk: risks.KubernetesMinorSkipped.name,
      object: { apiVersion: "v1", kind: "Component", name: "kube-apiserver" },
      message,
      detail: { skipped: skipped.join(" ") },
    },
  ];
}

/** A node and its kubelet. `minor` is that of Kubernetes 1, absent if the text is not such a version. */
type Kubelet = {
  readonly node: string;
  readonly pool?: string;
  readonly nodePool?: string;
  readonly text: string;
  readonly minor?: number;
};

/** Vendors append suffixes: v1.33.4+a1b2c3d, v1.31.2-eks-7f9249a. */
const KUBELET_VERSION = /^v?1\.(0|[1-9]\d{0,3})(?:\.\d+)?(?:[-+].*)?$/;

export function keepKubelet(node: JsonObject): Kubelet {
  const text = textAt(node, "status", "nodeInfo", "kubeletVersion") ?? "";
  const name = textAt(node, "metadata", "name") ?? "";
  return { node: name, pool: findPoolName(node), nodePool: findNodePool(node), text, minor: parseKubeletMinor(text) };
}

/** The minor of Kubernetes 1, or undefined if the text is not such a version. */
function parseKubeletMinor(text: string): number | undefined {
  const match = KUBELET_VERSION.exec(text);
  return match ? Number(match[1]) : undefined;
}

/** The first minor of Kubernetes 1 whose API server supports kubelets three minors older; before, it was two. */
const THREE_BEHIND = 28;

/**
 * How many minors of Kubernetes a kubelet may be behind OpenShift's API server, by the rule of
 * cluster-kube-apiserver-operator, in which 4.23 and 5.0 are alike.
 */
export function getAllowedSkew({ major, minor }: MinorVersion): number {
  if (major >= 5) return (minor % 3) + 1;
  return minor % 2 === 0 ? 2 : 1;
}

/** Minors of Kubernetes 1. */
type KubeletRange = { readonly oldest: number; readonly newest: number };

/** The kubelets that the target's API server supports. NodePools may be three minors behind, as Kubernetes itself allows. */
export function getSupportedRange({ platform, kubernetes, target, isHosted }: Context): KubeletRange {
  const newest = kubernetes.target;
  if (platform === "openshift" && !isHosted) return { oldest: newest - getAllowedSkew(target), newest };
  return { oldest: newest - (newest >= THREE_BEHIND ? 3 : 2), newest };
}

/**
 * Kubelets older than this make the running kube-apiserver operator block every update to a later minor.
 * The operator applies the rule of the release after the running one; only while a kubelet is ahead of the API server or reports no
 * version (`isNextRuleSkipped`) does it report just those that its own API server no longer supports.
 */
export function getBlockedBelow(
  { platform, kubernetes, source, isHosted }: Context,
  isNextRuleSkipped: boolean,
): number {
  // No such operator runs beside a hosted control plane.
  if (platform === "kubernetes" || isHosted) return 0;
  if (isNextRuleSkipped) return kubernetes.source - getAllowedSkew(source);
  return kubernetes.source + 1 - getAllowedSkew({ major: source.major, minor: source.minor + 1 });
}

/** The DaemonSet of kube-proxy, as kubeadm and most distributions name it. `minor` is that of Kubernetes 1, by the image's tag. */
export type KubeProxy = { readonly image: string; readonly minor?: number; readonly isRolledOut: boolean };

/** "registry.example/kube-proxy:v1.33.4@sha256:..."; a port before the name is no tag. */
const TAG = /:([^:/@]+)(?:@.*)?$/;

function keepKubeProxy(object: JsonObject): KubeProxy {
  const containers = listAt(object, "spec", "template", "spec", "containers");
  const container = containers.find((one) => at(one, "name") === "kube-proxy") ?? containers[0];
  const image = textAt(container, "image") ?? "";
  const minor = parseKubeletMinor(TAG.exec(image)?.[1] ?? "");
  return { image, minor, isRolledOut: isRolledOut(object) };
}

/** Until then, nodes run another version than the template's. */
function isRolledOut(object: JsonObject): boolean {
  const generation = numberAt(object, "metadata", "generation");
  const observed = numberAt(object, "status", "observedGeneration");
  const updated = numberAt(object, "status", "updatedNumberScheduled") ?? 0;
  return generation === observed && updated >= (numberAt(object, "status", "desiredNumberScheduled") ?? 0);
}

function judgeKubeProxy(result: GetResult<KubeProxy>, context: Context): Judgement {
  if (context.platform === "openshift") return {};
  if (result.kind === "absent") return { notices: [NOT_FOUND] };
  const { image, minor, isRolledOut: isComplete } = result.value;
  if (minor === undefined)
    return {
      unknowns: [
        buildKubeProxyUnknown("NotUnderstood", `the tag of its image "${image}" is not a version such as v1.34.2`),
      ],
    };
  return {
    findings: buildKubeProxyFindings(image, minor, getSupportedRange(context), context),
    unknowns: isComplete
      ? []
      : [
          buildKubeProxyUnknown(
            "RolloutIncomplete",
            "its rollout is not complete, so nodes run other versions: wait for kubectl rollout status -n kube-system daemonset/kube-proxy",
          ),
        ],
  };
}

const NOT_FOUND =
  "There is no DaemonSet kube-system/kube-proxy, so the version of kube-proxy was not checked. If something else runs it, compare its version with the target's: at most three minors behind, and not ahead.";

function buildKubeProxyUnknown(reason: Unknown["reason"], message: string): Unknown {
  return { reason, where: formatRef(KUBE_PROXY), message };
}

function buildKubeProxyFindings(
  image: string,
  minor: number,
  { oldest, newest }: KubeletRange,
  context: Context,
): readonly Finding[] {
  if (minor >= oldest && minor <= newest) return [];
  const risk = minor > newest ? risks.KubeProxyNewerThanTarget.name : risks.KubeProxyTooOldForTarget.name;
  const message = `Its image is ${image}. ${formatApiServer(context)} supports kube-proxy 1.${oldest} to 1.${newest}.`;
  return [{ risk, object: KUBE_PROXY, path: "spec.template.spec.containers", message, detail: { image } }];
}
