import { findCondition } from "../../model/conditions.ts";
import { type JsonObject, textAt } from "../../model/json.ts";
import { defined } from "../../model/optional.ts";
import type { ObjectRef } from "../../model/resource.ts";

/** A virtual machine that runs, unless it can be migrated to another node. */
export type VirtualMachine = {
  readonly object: ObjectRef;
  /** The cluster's strategy applies to a machine without one. */
  readonly evictionStrategy?: string;
  readonly migration: "impossible" | "unreported";
  readonly reason: string;
};

/** KubeVirt's webhook migrates machines whose condition is True, and no other. */
export function keepVirtualMachine(object: JsonObject): VirtualMachine | undefined {
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
export function keepClusterStrategy(kubeVirt: JsonObject): string {
  return textAt(kubeVirt, "spec", "configuration", "evictionStrategy") ?? "None";
}
