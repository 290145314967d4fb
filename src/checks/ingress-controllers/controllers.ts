import type { Unknown, Finding } from "../../model/check.ts";
import { findCondition } from "../../model/conditions.ts";
import { type JsonObject, compareText, textAt } from "../../model/json.ts";
import { type ObjectRef, refOf } from "../../model/resource.ts";
import { risks } from "./risks.ts";

/** The operator manages only ingress controllers in its own namespace. */
const NAMESPACE = "openshift-ingress-operator";

/** A condition; `status` is "" if the operator hasn't set it. */
type ControllerCondition = { readonly status: string; readonly reason: string; readonly message: string };

export type IngressController = {
  readonly object: ObjectRef;
  readonly upgradeable: ControllerCondition;
  readonly evaluation: ControllerCondition;
};

export function keepIngressController(object: JsonObject): IngressController | undefined {
  if (textAt(object, "metadata", "namespace") !== NAMESPACE) return undefined;
  return {
    object: refOf(object),
    upgradeable: parseCondition(object, "Upgradeable"),
    evaluation: parseCondition(object, "EvaluationConditionsDetected"),
  };
}

function parseCondition(object: JsonObject, type: string): ControllerCondition {
  const condition = findCondition(object, type);
  return {
    status: condition === undefined ? "" : (textAt(condition, "status") ?? "?"),
    reason: textAt(condition, "reason") ?? "",
    message: (textAt(condition, "message") ?? "").replaceAll(/\s+/g, " ").trim(),
  };
}

export function buildControllerFindings(controllers: readonly IngressController[]): readonly Finding[] {
  return controllers
    .filter(({ upgradeable }) => upgradeable.status === "False")
    .map(({ object, upgradeable }) => ({
      risk: risks.IngressControllerBlocksUpdate.name,
      object,
      message: `The ingress operator reports Upgradeable=False${formatReason(upgradeable)}`,
      detail: { reason: upgradeable.reason },
    }));
}

/** These don't block this update, but may block a later one. */
export function buildEvaluationNotices(controllers: readonly IngressController[]): readonly string[] {
  return controllers
    .filter(({ evaluation }) => evaluation.status === "True")
    .map(
      ({ object, evaluation }) =>
        `IngressController ${object.name} has a fault that may block a later update${formatReason(evaluation)}`,
    )
    .toSorted(compareText);
}

/** The operator writes only True and False, so any other status decides nothing. */
export function buildUnknowns(controllers: readonly IngressController[]): readonly Unknown[] {
  return controllers
    .filter(({ upgradeable }) => !["", "True", "False"].includes(upgradeable.status))
    .map(({ object }) => ({
      reason: "NotUnderstood",
      where: `ingresscontrollers.operator.openshift.io ${NAMESPACE}/${object.name}`,
      message: "its condition Upgradeable is neither True nor False",
    }));
}

function formatReason({ message, reason }: ControllerCondition): string {
  const why = message === "" ? reason : message;
  return why === "" ? "." : `: ${why.replace(/[.\s]+$/, "")}.`;
}
