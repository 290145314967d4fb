import { type Finding, type Judgement, type Unknown, defineCheck } from "../../model/check.ts";
import { buildTopologyRead } from "../../model/infrastructure.ts";
import { type Each, each, onlyOn, valuesOf, soundInPart } from "../../model/read.ts";
import { formatRef, type ObjectRef } from "../../model/resource.ts";
import { virtualMachineBlocksDrain } from "./risks.ts";
import { findCondition } from "../../model/conditions.ts";
import { type JsonObject, textAt } from "../../model/json.ts";
import { defined } from "../../model/optional.ts";
import { buildNamesNotice } from "../shared/notices.ts";

export default defineCheck({
  id: "virtual-machines",
  title: "Virtual machines don't block the drain of their nodes",
  risks: [virtualMachineBlocksDrain],
  applies: { kind: "updates", kinds: ["patch", "minor", "rollback"] },
  platforms: ["openshift", "kubernetes"],
  reads: () => ({
    topology: onlyOn("openshift", buildTopologyRead()),
    machines: soundInPart("object", each("kubevirt.io/v1/virtualmachineinstances", keepVirtualMachine)),
  }),
  mayRead: () => ({ kubeVirts: buildSettingsRead() }),
  follow: ({ machines }) =>
    valuesOf(machines).some(({ evictionStrategy }) => evictionStrategy === undefined)
      ? { kubeVirts: buildSettingsRead() }
      : {},
  evaluate({ topology, machines }, _, { kubeVirts }): Judgement {
    if (machines.kind === "absent") return { notApplicable: "KubeVirt is not installed." };
    if (topology.kind === "found" && topology.value === "SingleReplica")
      return { notApplicable: "The cluster has a single control-plane node, so nodes restart without a drain." };
    return judge(machines.values, kubeVirts && (valuesOf(kubeVirts)[0] ?? "None"));
  },
});

function buildSettingsRead(): Each<string> {
  return each("kubevirt.io/v1/kubevirts", keepClusterStrategy);
}

/** Without the cluster's strategy nothing is said of machines without their own: the runner reports that it couldn't be read. */
function judge(machines: readonly VirtualMachine[], clusterStrategy: string | undefined): Judgement {
  const select = (...strategies: readonly string[]): readonly VirtualMachine[] =>
    machines.filter(({ evictionStrategy = clusterStrategy }) => strategies.includes(evictionStrategy ?? ""));
  const migrated = select("LiveMigrate");
  return {
    findings: migrated.filter(({ migration }) => migration === "impossible").map(buildFinding),
    notices: buildShutdownNotices(select("LiveMigrateIfPossible", "None")),
    unknowns: migrated.filter(({ migration }) => migration === "unreported").map(buildUnknown),
  };
}

function buildFinding({ object, evictionStrategy, reason }: VirtualMachine): Finding {
  const [origin, path] =
    evictionStrategy === undefined ? ["KubeVirt's default", undefined] : ["its", "spec.evictionStrategy"];
  const message = `It can't be migrated${reason === "" ? "" : ` (${reason})`}, and ${origin} eviction strategy is LiveMigrate.`;
  return {
    risk: virtualMachineBlocksDrain.name,
    object,
    ...(path === undefined ? {} : { path }),
    message,
    ...(reason === "" ? {} : { detail: { reason } }),
  };
}

function buildShutdownNotices(machines: readonly VirtualMachine[]): readonly string[] {
  return buildNamesNotice(
    machines.map(({ object }) => formatRef(object)),
    (names) => `These can't be migrated, and are shut down while their node is drained: ${names}.`,
  );
}

function buildUnknown({ object }: VirtualMachine): Unknown {
  const message = "its status has no condition LiveMigratable, and KubeVirt evicts no machine that it can't migrate";
  return { reason: "NotReported", where: formatRef(object), message };
}

/** A virtual machine that runs, unless it can be migrated to another node. */
type VirtualMachine = {
  readonly object: ObjectRef;
  /** The cluster's strategy applies to a machine without one. */
  readonly evictionStrategy?: string;
  readonly migration: "impossible" | "unreported";
  readonly reason: string;
};

/** KubeVirt's webhook migrates machines whose condition is True, and no other. */
function keepVirtualMachine(object: JsonObject): VirtualMachine | undefined {
  const condition = findCondition(object, "LiveMigratable");
  const status = textAt(condition, "status");
  if (textAt(object, "status", "phase") !== "Running" || status === "True") return undefined;
  const [namespace, name] = [textAt(object, "metadata", "namespace") ?? "", textAt(object, "metadata", "name") ?? ""];
  return {
    object: { apiVersion: "kubevirt.io/v1", kind: "VirtualMachineInstance", namespace, name },
    ...defined({ evictionStrategy: textAt(object, "spec", "evictionStrategy") }),
    migration: status === "False" ? "impossible" : "unreported",
    reason: textAt(condition, "reason") ?? "",
  };
}

/** The strategy in the settings of KubeVirt. */
function keepClusterStrategy(kubeVirt: JsonObject): string {
  return textAt(kubeVirt, "spec", "configuration", "evictionStrategy") ?? "None";
}
