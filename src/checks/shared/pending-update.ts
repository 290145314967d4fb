import { findCondition } from "../../model/object.ts";
import { type JsonObject, textAt } from "../../model/json.ts";
import type { ObjectRef } from "../../model/resource.ts";

/** An operator for which OLM has a newer version. The names are those of ClusterServiceVersions. */
export type PendingUpdate = {
  readonly namespace: string;
  readonly name: string;
  readonly installedCsv: string;
  readonly nextCsv: string;
  readonly isWaitingForApproval: boolean;
  /** The InstallPlan of the update, or "". */
  readonly installPlan: string;
};

/** Keeps subscriptions with an update that is not installed yet; a first installation doesn't count. */
export function keepPendingUpdate(subscription: JsonObject): PendingUpdate | undefined {
  const installedCsv = textAt(subscription, "status", "installedCSV") ?? "";
  const nextCsv = textAt(subscription, "status", "currentCSV") ?? "";
  if (installedCsv === "" || nextCsv === "" || installedCsv === nextCsv) return undefined;
  return {
    namespace: textAt(subscription, "metadata", "namespace") ?? "",
    name: textAt(subscription, "metadata", "name") ?? "",
    installedCsv,
    nextCsv,
    isWaitingForApproval: isWaitingForApproval(subscription),
    installPlan: textAt(subscription, "status", "installPlanRef", "name") ?? "",
  };
}

/** That of an installed operator, by its ClusterServiceVersion or what is named like it. */
export function findPendingUpdate(operator: ObjectRef, pending: readonly PendingUpdate[]): PendingUpdate | undefined {
  return pending.find(
    ({ namespace, installedCsv }) => namespace === operator.namespace && installedCsv === operator.name,
  );
}

function isWaitingForApproval(subscription: JsonObject): boolean {
  const pending = findCondition(subscription, "InstallPlanPending");
  return textAt(pending, "status") === "True" && textAt(pending, "reason") === "RequiresApproval";
}
