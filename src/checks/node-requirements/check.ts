import {
  defineCheck,
  type Judgement,
  type Context,
  type Finding,
  type Unknown,
  formatTarget,
} from "../../model/check.ts";
import { each, onlyOn, valuesOf } from "../../model/read.ts";
import { containerdTooOld } from "./risks.ts";
import { type JsonObject, textAt } from "../../model/json.ts";
import { buildNodeRef } from "../../model/resource.ts";
import { summarizeNames } from "../../model/names.ts";

export default defineCheck({
  id: "node-requirements",
  title: "The software of the nodes is new enough for the target's kubelet",
  risks: [containerdTooOld],
  applies: { kind: "updates", kinds: ["minor"] },
  platforms: ["kubernetes"],
  reads: () => ({ nodes: onlyOn("kubernetes", each("v1/nodes", keepNodeSoftware)) }),
  evaluate({ nodes }, context): Judgement {
    const values = valuesOf(nodes);
    if (values.length === 0) return { notApplicable: "The cluster has no nodes." };
    return { ...judgeContainerd(values, context), notices: buildCgroupNotices(values, context) };
  },
});

/** `runtime`: "containerd://1.7.24". `osImage`: "Ubuntu 22.04.5 LTS". */
type NodeSoftware = { readonly name: string; readonly runtime: string; readonly osImage: string };

function keepNodeSoftware(node: JsonObject): NodeSoftware {
  const info = (field: string): string => textAt(node, "status", "nodeInfo", field) ?? "";
  return {
    name: textAt(node, "metadata", "name") ?? "",
    runtime: info("containerRuntimeVersion"),
    osImage: info("osImage"),
  };
}

/** The first minor of Kubernetes 1 whose kubelet needs containerd 2. */
const NEEDS_CONTAINERD_2 = 36;
const RUNTIME_VERSION = /^([a-z-]+):\/\/v?(\d+)\./;

function judgeContainerd(nodes: readonly NodeSoftware[], { kubernetes }: Context): Judgement {
  if (kubernetes.target < NEEDS_CONTAINERD_2) return {};
  return { findings: nodes.flatMap(findOldContainerd), unknowns: nodes.flatMap(findUnknownRuntime) };
}

function findOldContainerd({ name, runtime }: NodeSoftware): readonly Finding[] {
  const [, program, major] = RUNTIME_VERSION.exec(runtime) ?? [];
  if (program !== "containerd" || Number(major) >= 2) return [];
  const message = `Its container runtime is ${runtime}.`;
  return [{ risk: containerdTooOld.name, object: buildNodeRef(name), message, detail: { runtime } }];
}

/** Other runtimes, such as CRI-O, follow the versions of Kubernetes. */
function findUnknownRuntime({ name, runtime }: NodeSoftware): readonly Unknown[] {
  if (RUNTIME_VERSION.test(runtime)) return [];
  const message = runtime === "" ? "the node reports none" : `"${runtime}" is not a version such as containerd://2.1.4`;
  return [{ reason: "NotUnderstood", where: `Node ${name} status.nodeInfo.containerRuntimeVersion`, message }];
}

/** The first minor of Kubernetes 1 whose kubelet doesn't start with cgroup v1 unless its configuration sets failCgroupV1 to false. */
const FAILS_ON_V1 = 35;

/** Distributions that mount cgroup v1 unless they are told otherwise, by the names that nodes report. */
const V1_BY_DEFAULT = [
  /^Amazon Linux 2$/,
  /^(?:AlmaLinux|Rocky Linux|Oracle Linux Server|CentOS (?:Linux|Stream)|Red Hat Enterprise Linux(?: Server)?) [78]\b/,
  /^Debian GNU\/Linux (?:9|10)\b/,
  /^Ubuntu (?:16|18|20)\.\d\d\b/,
];

/** A node doesn't tell which it has, so this is a notice, and only for the update that changes the default. */
function buildCgroupNotices(nodes: readonly NodeSoftware[], context: Context): readonly string[] {
  const { source, target } = context.kubernetes;
  if (source >= FAILS_ON_V1 || target < FAILS_ON_V1) return [];
  const old = nodes.filter(({ osImage }) => V1_BY_DEFAULT.some((pattern) => pattern.test(osImage)));
  const which =
    old.length === 0
      ? "Nodes don't report which version they use, and none has an operating system that is known to use v1 by default."
      : `Nodes don't report which version they use. These have an operating system with v1 by default: ${summarizeNames(old.map(({ name, osImage }) => `${name} (${osImage})`))}.`;
  return [
    `The kubelets of ${formatTarget(context)} don't start on a node with cgroup v1 unless their configuration sets failCgroupV1 to false. ${which} On a node with cgroup v2, "stat -fc %T /sys/fs/cgroup" prints cgroup2fs.`,
  ];
}
