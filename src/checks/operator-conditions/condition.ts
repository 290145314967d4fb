import { type Json, type JsonObject, listAt, textAt } from "../../model/json.ts";
import { type ObjectRef, refOf } from "../../model/resource.ts";

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
  const status = textAt(condition, "status") ?? "";
  const object = refOf(operator);
  if (!STATUSES.includes(status)) return { kind: "unclear", object, path, status };
  const isOverridden = path === "spec.overrides";
  if (status === "True" || (status === "Unknown" && !isOverridden)) return undefined;
  const reason = textAt(condition, "reason") ?? "";
  const [message, since] = [textAt(condition, "message") ?? "", textAt(condition, "lastTransitionTime") ?? ""];
  return { kind: "refusal", object, path, isOverridden, reason, message, since };
}
