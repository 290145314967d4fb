import type { Blind, Finding } from "../../model/check.ts";
import { conditionOf } from "../../model/conditions.ts";
import { type JsonObject, byText, textAt } from "../../model/json.ts";
import { type ObjectRef, refOf } from "../../model/resource.ts";
import { notUpgradeable } from "./risks.ts";

/** The operator looks at ingress controllers in its own namespace only. */
const NAMESPACE = "openshift-ingress-operator";

/** What a condition says; `status` is empty where the operator hasn't set the condition. */
type Said = { readonly status: string; readonly reason: string; readonly message: string };

export type Controller = { readonly object: ObjectRef; readonly upgradeable: Said; readonly evaluation: Said };

export function keepController(object: JsonObject): Controller | undefined {
  if (textAt(object, "metadata", "namespace") !== NAMESPACE) return undefined;
  return {
    object: refOf(object),
    upgradeable: saidOf(object, "Upgradeable"),
    evaluation: saidOf(object, "EvaluationConditionsDetected"),
  };
}

function saidOf(object: JsonObject, type: string): Said {
  const found = conditionOf(object, type);
  return {
    status: found === undefined ? "" : (textAt(found, "status") ?? "?"),
    reason: textAt(found, "reason") ?? "",
    message: (textAt(found, "message") ?? "").replaceAll(/\s+/g, " ").trim(),
  };
}

export function controllerFindings(controllers: readonly Controller[]): readonly Finding[] {
  return controllers
    .filter(({ upgradeable }) => upgradeable.status === "False")
    .map(({ object, upgradeable }) => ({
      risk: notUpgradeable.name,
      object,
      message: `The ingress operator reports Upgradeable=False${because(upgradeable)}`,
      detail: { reason: upgradeable.reason },
    }));
}

/** What doesn't block this update, but announces that a later one will be blocked. */
export function evaluationNotices(controllers: readonly Controller[]): readonly string[] {
  return controllers
    .filter(({ evaluation }) => evaluation.status === "True")
    .map(
      ({ object, evaluation }) =>
        `IngressController ${object.name} has something that may block a later update${because(evaluation)}`,
    )
    .toSorted(byText);
}

/** The operator writes True and False; anything else was not written by it, and can't be decided from. */
export function unreadable(controllers: readonly Controller[]): readonly Blind[] {
  return controllers
    .filter(({ upgradeable }) => !["", "True", "False"].includes(upgradeable.status))
    .map(({ object }) => ({
      reason: "NotUnderstood",
      where: `ingresscontrollers.operator.openshift.io ${NAMESPACE}/${object.name}`,
      message: "the status of its condition Upgradeable is neither True nor False",
    }));
}

function because({ message, reason }: Said): string {
  const why = message === "" ? reason : message;
  return why === "" ? "." : `: ${why.replace(/[.\s]+$/, "")}.`;
}
