import type { Context } from "../../model/check.ts";
import { COPY_ANNOTATIONS, findLabelledPackage, findLeaving, isCopied } from "../../model/cluster-service-version.ts";
import { type JsonObject, compareText, objectAt, textAt } from "../../model/json.ts";
import type { OlmOperator, OperatorSubscription } from "../../model/olm-operator.ts";
import { type ObjectRef, refOf } from "../../model/resource.ts";
import { findSubscription, isUpdatePending, type Subscribed } from "../shared/operator-subscription.ts";
import { type LastRelease, RELEASE_ANNOTATIONS, isReadByOlm, parseLastRelease, reachesTarget } from "./last-release.ts";

/** What the check keeps of an operator. */
export type InstalledOperator = {
  readonly object: ObjectRef;
  /** Its name in its catalog, if OLM's label has it. */
  readonly package?: string;
  readonly version?: string;
  readonly last: LastRelease;
  readonly isReadByOlm: boolean;
  /** OLM counts them until they are deleted: if a replacement never gets ready, the old operator keeps running. */
  readonly leaving?: "replaced" | "deleted";
};

/** An installed operator that declares the last OpenShift release it supports. */
export type DeclaringOperator = InstalledOperator & { readonly last: Exclude<LastRelease, { readonly kind: "none" }> };

export function hasDeclaration(operator: InstalledOperator): operator is DeclaringOperator {
  return operator.last.kind !== "none";
}

/** Those that `keepInstalledOperator` reads. */
export const OPERATOR_ANNOTATIONS = [...COPY_ANNOTATIONS, ...RELEASE_ANNOTATIONS];

/** Drops OLM's copies in the namespaces that an operator watches. */
export function keepInstalledOperator(csv: JsonObject): InstalledOperator | undefined {
  if (isCopied(csv)) return undefined;
  const annotations = objectAt(csv, "metadata", "annotations");
  return {
    object: refOf(csv),
    package: findLabelledPackage(csv),
    version: textAt(csv, "spec", "version"),
    last: parseLastRelease(annotations),
    isReadByOlm: isReadByOlm(annotations),
    leaving: findLeaving(csv),
  };
}

/** The operators that stay: one that is about to be deleted has a successor, or none. */
export function listOlmOperators(
  operators: readonly InstalledOperator[],
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
        lastRelease: last.kind === "release" ? last.text : undefined,
        supportsTarget: last.kind === "release" ? reachesTarget(last, target) : undefined,
      };
    })
    .toSorted((a, b) => compareText(a.namespace, b.namespace) || compareText(a.name, b.name));
}

function buildSubscription(subscribed: Subscribed): OperatorSubscription {
  const { channel, source, approval, nextCsv } = subscribed;
  return { channel, source, approval, next: isUpdatePending(subscribed) ? nextCsv : undefined };
}
