import { type Finding, type Unknown, type Context, defineCheck } from "../../model/check.ts";
import { readRisks } from "../shared/risks.ts";
import { type Each, type Get, each, get, valuesOf, soundInPart } from "../../model/read.ts";
import { type Version, leavesMinor, formatMinor, compareVersions, crosses, parseVersion } from "../../model/version.ts";
import { findCondition } from "../../model/object.ts";
import { type JsonObject, type Json, compareText, textAt, listAt } from "../../model/json.ts";
import { type ObjectRef, refOf } from "../../model/resource.ts";

const risks = readRisks("ingress-controllers", {
  IngressControllerBlocksUpdate: { message: { reason: formatSharedReason } },
  RoutesRejectedByTargetRouters: {},
});

const MAX_REASON_LENGTH = 300;

/** The operator's reason, if all objects have the same short one. A full stop inside it would read as the end of our sentence. */
function formatSharedReason(findings: readonly Finding[]): string {
  const messages = new Set(findings.map(({ message }) => message.replace(/^[^:]*:? ?/, "")));
  const [why = ""] = messages;
  const text = why.replace(/\.$/, "").replaceAll(/[.!?](?=\s)/g, ";");
  return messages.size === 1 && text !== "" && text.length <= MAX_REASON_LENGTH ? ` (${text})` : "";
}

type FirstReads = { readonly operator: Get<true> };
type FollowUpReads = { readonly controllers?: Each<IngressController>; readonly routes?: Each<MarkedRoute> };

export default defineCheck<FirstReads, FollowUpReads>({
  id: "ingress-controllers",
  name: "IngressNotReady",
  title: "Ingress controllers and routes are ready for the target",
  risks: Object.values(risks),
  applies: { kind: "updates", kinds: ["patch", "minor"] },
  reads: () => ({ operator: get("config.openshift.io/v1/clusteroperators", "ingress", () => true as const) }),
  mayRead: () => ({ controllers: buildControllersRead(), routes: buildRoutesRead() }),
  follow: ({ operator }, context) => {
    if (operator.kind === "absent" || !leavesMinor(context)) return {};
    const routes = canJudgeRoutes(context) ? buildRoutesRead() : undefined;
    return { controllers: buildControllersRead(), routes };
  },
  evaluate: ({ operator }, context, followed) => {
    if (!leavesMinor(context))
      return { notApplicable: `Ingress controllers don't block updates within ${formatMinor(context.source)}.` };
    if (operator.kind === "absent")
      return { notApplicable: "The cluster has no clusteroperators.config.openshift.io ingress." };
    const ingressControllers = followed.controllers ? valuesOf(followed.controllers) : [];
    return {
      findings: [
        ...buildControllerFindings(ingressControllers),
        ...buildRouteFindings(followed.routes ? valuesOf(followed.routes) : []),
      ],
      notices: [...buildEvaluationNotices(ingressControllers), ...buildLaterNotices(context)],
      unknowns: buildUnknowns(ingressControllers),
    };
  },
});

function buildControllersRead(): Each<IngressController> {
  return soundInPart("object", each("operator.openshift.io/v1/ingresscontrollers", keepIngressController));
}

function buildRoutesRead(): Each<MarkedRoute> {
  return soundInPart("object", each("route.openshift.io/v1/routes", keepMarkedRoute));
}

/** The operator manages only ingress controllers in its own namespace. */
const NAMESPACE = "openshift-ingress-operator";

/** A condition; `status` is "" if the operator hasn't set it. */
type ControllerCondition = { readonly status: string; readonly reason: string; readonly message: string };

type IngressController = {
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

/**
 * From 4.15.18 on, the routers of 4.15 mark the routes that those of 4.16 reject (release notes of 4.15.18, OCPBUGS-28928);
 * from 4.16 on, they only remove such marks.
 */
const MARKED_FROM = "4.15.18";
const REJECTED_FROM = "4.16";

/** A route that a router marked, with the router's message. */
type MarkedRoute = { readonly object: ObjectRef; readonly router: string; readonly message: string };

export function keepMarkedRoute(object: JsonObject): MarkedRoute | undefined {
  for (const ingress of listAt(object, "status", "ingress")) {
    const mark = listAt(ingress, "conditions").find(isMark);
    if (mark === undefined) continue;
    return {
      object: refOf(object),
      router: textAt(ingress, "routerName") ?? "",
      message: (textAt(mark, "message") ?? "").replaceAll(/\s+/g, " ").trim(),
    };
  }
  return undefined;
}

function isMark(condition: Json): boolean {
  return textAt(condition, "type") === "UnservableInFutureVersions" && textAt(condition, "status") === "True";
}

/** Whether the present marks apply to this update. */
export function canJudgeRoutes({ source, target }: Context): boolean {
  return crosses(source, REJECTED_FROM, target) && marksRoutes(source);
}

function marksRoutes(source: Version): boolean {
  const from = parseVersion(MARKED_FROM);
  return from !== undefined && compareVersions(from, source) <= 0;
}

export function buildRouteFindings(routes: readonly MarkedRoute[]): readonly Finding[] {
  return routes.map(({ object, router, message }) => ({
    risk: risks.RoutesRejectedByTargetRouters.name,
    object,
    message: `Router ${router} can't serve it from ${REJECTED_FROM} on${message === "" ? "" : `: ${message.replace(/[.\s]+$/, "")}`}.`,
  }));
}

export function buildLaterNotices({ source, target }: Context): readonly string[] {
  if (!crosses(source, REJECTED_FROM, target) || marksRoutes(source)) return [];
  return [
    `The routers of ${REJECTED_FROM} reject routes with SHA1-signed certificates. The routers of ${MARKED_FROM} and later mark such routes, but those of ${source.text} don't: run the check again once the cluster runs ${MARKED_FROM} or a later 4.15.`,
  ];
}
