import type { Context, Finding, Judgement, Unknown } from "../../model/check.ts";
import { buildNodeRef } from "../../model/resource.ts";
import type { NodeSoftware } from "./node.ts";
import { containerdTooOld } from "./risks.ts";

/** The first minor of Kubernetes 1 whose kubelet needs containerd 2. */
const NEEDS_CONTAINERD_2 = 36;
const RUNTIME_VERSION = /^([a-z-]+):\/\/v?(\d+)\./;

export function judgeContainerd(nodes: readonly NodeSoftware[], { kubernetes }: Context): Judgement {
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
