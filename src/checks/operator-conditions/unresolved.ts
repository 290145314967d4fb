import { findCondition } from "../../model/conditions.ts";
import { type JsonObject, textAt } from "../../model/json.ts";
import { type PendingUpdate, keepPendingUpdate } from "../shared/pending-update.ts";
import { type ObjectRef, refOf } from "../../model/resource.ts";

/** An installed operator whose updates OLM can't determine, by the condition that says so. */
export type Unresolved = {
  readonly object: ObjectRef;
  readonly type: string;
  readonly reason: string;
  readonly message: string;
  /** "" if unknown. */
  readonly since: string;
};

/** What matters of a Subscription. */
export type Subscription = { readonly pending?: PendingUpdate; readonly unresolved?: Unresolved };

const FAILURES = ["CatalogSourcesUnhealthy", "ResolutionFailed"];

export function keepSubscription(subscription: JsonObject): Subscription | undefined {
  const pending = keepPendingUpdate(subscription);
  const isInstalled = (textAt(subscription, "status", "installedCSV") ?? "") !== "";
  const type = FAILURES.find((one) => textAt(findCondition(subscription, one), "status") === "True");
  const unresolved = isInstalled && type !== undefined ? buildUnresolved(subscription, type) : undefined;
  if (pending === undefined && unresolved === undefined) return undefined;
  return { ...(pending ? { pending } : {}), ...(unresolved ? { unresolved } : {}) };
}

/** OLM v1: `Retrying` is a passing error that OLM tries to overcome, `Blocked` one that an administrator has to resolve. */
export function keepUnresolvedExtension(extension: JsonObject): Unresolved | undefined {
  const isInstalled = textAt(findCondition(extension, "Installed"), "status") === "True";
  const reason = textAt(findCondition(extension, "Progressing"), "reason") ?? "";
  return isInstalled && ["Retrying", "Blocked"].includes(reason)
    ? buildUnresolved(extension, "Progressing")
    : undefined;
}

function buildUnresolved(object: JsonObject, type: string): Unresolved {
  const getText = (key: string): string => textAt(findCondition(object, type), key) ?? "";
  const [reason, message, since] = [getText("reason"), getText("message"), getText("lastTransitionTime")];
  return { object: refOf(object), type, reason, message, since };
}
