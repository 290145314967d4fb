import type { Context } from "../../model/check.ts";
import { compareText, type JsonObject, textAt } from "../../model/json.ts";
import type { OlmOperator, OperatorSubscription } from "../../model/olm-operator.ts";
import type { ObjectRef } from "../../model/resource.ts";
import { getMinorOrdinal } from "../../model/version.ts";
import { keepPendingUpdate, type PendingUpdate } from "../shared/pending-update.ts";

/** The Subscription of an installed operator. */
export type Subscribed = {
  readonly namespace: string;
  readonly name: string;
  readonly installedCsv: string;
  readonly pending?: PendingUpdate;
  readonly subscription: OperatorSubscription;
};

/** Drops those that have not installed anything yet. */
export function keepSubscribed(object: JsonObject): Subscribed | undefined {
  const installedCsv = textAt(object, "status", "installedCSV") ?? "";
  if (installedCsv === "") return undefined;
  const pending = keepPendingUpdate(object);
  return {
    namespace: textAt(object, "metadata", "namespace") ?? "",
    name: textAt(object, "metadata", "name") ?? "",
    installedCsv,
    pending,
    subscription: {
      channel: textAt(object, "spec", "channel"),
      source: textAt(object, "spec", "source"),
      approval: parseApproval(textAt(object, "spec", "installPlanApproval")),
      next: pending?.nextCsv,
    },
  };
}

function parseApproval(approval: string | undefined): OperatorSubscription["approval"] {
  return approval === "Automatic" || approval === "Manual" ? approval : undefined;
}

/** What the check keeps of an operator, as far as a list of all operators needs it. */
type ListedOperator = {
  readonly object: ObjectRef;
  readonly version?: string;
  readonly last: { readonly kind: string; readonly place?: number; readonly text?: string };
};

/** The operators that stay: one that is about to be deleted has a successor, or none. */
export function listOlmOperators(
  operators: readonly ListedOperator[],
  subscribed: readonly Subscribed[],
  { target }: Context,
): readonly OlmOperator[] {
  return operators
    .map(({ object, version, last }) => {
      const own = subscribed.find((one) => one.namespace === object.namespace && one.installedCsv === object.name);
      return {
        name: own?.name ?? object.name,
        namespace: object.namespace ?? "",
        version,
        subscription: own?.subscription,
        lastRelease: last.text,
        supportsTarget: last.place === undefined ? undefined : last.place >= getMinorOrdinal(target),
      };
    })
    .toSorted((a, b) => compareText(a.namespace, b.namespace) || compareText(a.name, b.name));
}
