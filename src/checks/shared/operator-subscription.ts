import { findCondition } from "../../model/object.ts";
import { type JsonObject, textAt } from "../../model/json.ts";
import type { ObjectRef } from "../../model/resource.ts";

/** A Subscription whose operator is installed. `installedCsv` and `nextCsv` are names of ClusterServiceVersions. */
export type Subscribed = {
  readonly namespace: string;
  readonly name: string;
  /** The operator's name in its catalog. */
  readonly package: string;
  readonly channel?: string;
  readonly source?: string;
  readonly approval?: "Automatic" | "Manual";
  readonly installedCsv: string;
  /** The version that OLM installs or would like to, or "": the installed one if there is no newer one. */
  readonly nextCsv: string;
  readonly isWaitingForApproval: boolean;
  /** The InstallPlan of the update, or "". */
  readonly installPlan: string;
};

export function keepSubscribed(subscription: JsonObject): Subscribed | undefined {
  const installedCsv = textAt(subscription, "status", "installedCSV") ?? "";
  if (installedCsv === "") return undefined;
  return {
    namespace: textAt(subscription, "metadata", "namespace") ?? "",
    name: textAt(subscription, "metadata", "name") ?? "",
    package: textAt(subscription, "spec", "name") ?? "",
    channel: textAt(subscription, "spec", "channel"),
    source: textAt(subscription, "spec", "source"),
    approval: parseApproval(textAt(subscription, "spec", "installPlanApproval")),
    installedCsv,
    nextCsv: textAt(subscription, "status", "currentCSV") ?? "",
    isWaitingForApproval: isWaitingForApproval(subscription),
    installPlan: textAt(subscription, "status", "installPlanRef", "name") ?? "",
  };
}

function parseApproval(approval: string | undefined): Subscribed["approval"] {
  return approval === "Automatic" || approval === "Manual" ? approval : undefined;
}

/** Whether OLM has a newer version. */
export function isUpdatePending({ installedCsv, nextCsv }: Subscribed): boolean {
  return nextCsv !== "" && nextCsv !== installedCsv;
}

/** That of an installed operator, by its ClusterServiceVersion or what is named like it. */
export function findSubscription(operator: ObjectRef, subscriptions: readonly Subscribed[]): Subscribed | undefined {
  return subscriptions.find(
    ({ namespace, installedCsv }) => namespace === operator.namespace && installedCsv === operator.name,
  );
}

function isWaitingForApproval(subscription: JsonObject): boolean {
  const pending = findCondition(subscription, "InstallPlanPending");
  return textAt(pending, "status") === "True" && textAt(pending, "reason") === "RequiresApproval";
}
