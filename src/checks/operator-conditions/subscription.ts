import { conditionOf } from "../../model/conditions.ts";
import { type JsonObject, textAt } from "../../model/json.ts";

/** An operator that OLM has a newer version of. Names are those of ClusterServiceVersions. */
export type PendingUpdate = {
  readonly namespace: string;
  readonly name: string;
  readonly installed: string;
  readonly next: string;
  readonly waitsForApproval: boolean;
};

/** Only subscriptions with an update that is not installed yet; a first installation is none. */
export function keepPendingUpdate(subscription: JsonObject): PendingUpdate | undefined {
  const installed = textAt(subscription, "status", "installedCSV") ?? "";
  const next = textAt(subscription, "status", "currentCSV") ?? "";
  if (installed === "" || next === "" || installed === next) return undefined;
  return {
    namespace: textAt(subscription, "metadata", "namespace") ?? "",
    name: textAt(subscription, "metadata", "name") ?? "",
    installed,
    next,
    waitsForApproval: waitsForApproval(subscription),
  };
}

function waitsForApproval(subscription: JsonObject): boolean {
  const pending = conditionOf(subscription, "InstallPlanPending");
  return textAt(pending, "status") === "True" && textAt(pending, "reason") === "RequiresApproval";
}
