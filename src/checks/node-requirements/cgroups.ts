import { type Context, formatTarget } from "../../model/check.ts";
import { summarizeNames } from "../../model/names.ts";
import type { NodeSoftware } from "./node.ts";

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
export function buildCgroupNotices(nodes: readonly NodeSoftware[], context: Context): readonly string[] {
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
