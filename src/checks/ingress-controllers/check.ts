import { defineCheck } from "../../model/check.ts";
import { type Each, type Get, each, get, valuesOf, soundInPart } from "../../model/read.ts";
import { leavesMinor, formatMinor } from "../../model/version.ts";
import {
  type IngressController,
  buildControllerFindings,
  buildEvaluationNotices,
  keepIngressController,
  buildUnknowns,
} from "./controllers.ts";
import { risks } from "./risks.ts";
import { type MarkedRoute, keepMarkedRoute, buildLaterNotices, buildRouteFindings, canJudgeRoutes } from "./routes.ts";

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
