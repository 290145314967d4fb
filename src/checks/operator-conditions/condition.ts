import { type Json, type JsonObject, listAt, textAt } from "../../model/json.ts";
import { type ObjectRef, refOf } from "../../model/resource.ts";
import { findCondition } from "../../model/conditions.ts";
import { type PendingUpdate, keepPendingUpdate } from "../shared/pending-update.ts";
import { parseConditionTexts } from "../shared/conditions.ts";

/** Why OLM doesn't update an operator: its OperatorCondition is named like its ClusterServiceVersion. */
export type OperatorRefusal = {
  readonly kind: "refusal";
  readonly object: ObjectRef;
  readonly path: string;
  /** Set by an administrator's override, and not by the operator. */
  readonly isOverridden: boolean;
  readonly reason: string;
  readonly message: string;
  /** When the condition last changed; "" if unknown. */
  readonly since: string;
};

/** A condition whose status isn't True, False or Unknown. */
export type UnclearCondition = {
  readonly kind: "unclear";
  readonly object: ObjectRef;
  readonly path: string;
  readonly status: string;
};

const TYPE = "Upgradeable";
const STATUSES = ["True", "False", "Unknown"];

/**
 * OLM's rule: an override decides, and refuses unless it is True; otherwise the operator's condition decides, and refuses only if it is
 * False. Operators write `spec.conditions`, which OLM copies to `status.conditions`; older operators write the latter themselves.
 */
export function keepRefusal(object: JsonObject): OperatorRefusal | UnclearCondition | undefined {
  for (const path of ["spec.overrides", "spec.conditions", "status.conditions"] as const) {
    const condition = listAt(object, ...path.split(".")).find((one) => textAt(one, "type") === TYPE);
    if (condition !== undefined) return judgeCondition(object, path, condition);
  }
  return undefined;
}

function judgeCondition(
  operator: JsonObject,
  path: string,
  condition: Json,
): OperatorRefusal | UnclearCondition | undefined {
  const { status, ...texts } = parseConditionTexts(condition);
  const object = refOf(operator);
  if (!STATUSES.includes(status)) return { kind: "unclear", object, path, status };
  const isOverridden = path === "spec.overrides";
  if (status === "True" || (status === "Unknown" && !isOverridden)) return undefined;
  return { kind: "refusal", object, path, isOverridden, ...texts };
}

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
type Subscription = { readonly pending?: PendingUpdate; readonly unresolved?: Unresolved };

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
  const { reason, message, since } = parseConditionTexts(findCondition(object, type));
  return { object: refOf(object), type, reason, message, since };
}
