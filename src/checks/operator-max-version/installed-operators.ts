import type { Context } from "../../model/check.ts";
import { compareText } from "../../model/json.ts";
import type { OlmOperator, OperatorSubscription } from "../../model/olm-operator.ts";
import type { ObjectRef } from "../../model/resource.ts";
import { getMinorOrdinal } from "../../model/version.ts";
import { findSubscription, isUpdatePending, type Subscribed } from "../shared/operator-subscription.ts";

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
      const own = findSubscription(object, subscribed);
      return {
        name: own?.name ?? object.name,
        namespace: object.namespace ?? "",
        version,
        subscription: own && buildSubscription(own),
        lastRelease: last.text,
        supportsTarget: last.place === undefined ? undefined : last.place >= getMinorOrdinal(target),
      };
    })
    .toSorted((a, b) => compareText(a.namespace, b.namespace) || compareText(a.name, b.name));
}

function buildSubscription(subscribed: Subscribed): OperatorSubscription {
  const { channel, source, approval, nextCsv } = subscribed;
  return { channel, source, approval, next: isUpdatePending(subscribed) ? nextCsv : undefined };
}
