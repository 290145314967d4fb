import { defineCheck } from "../../model/check.ts";
import { type Each, type Get, each, get, valuesOf } from "../../model/read.ts";
import { leavesMinor, minorText } from "../../model/version.ts";
import { type Controller, controllerFindings, evaluationNotices, keepController, unreadable } from "./controllers.ts";
import { notUpgradeable, routesUnservable } from "./risks.ts";
import { type Route, keepRoute, laterNotice, routeFindings, routesTell } from "./routes.ts";

type Reads = { readonly operator: Get<true> };
type Followed = { readonly controllers?: Each<Controller>; readonly routes?: Each<Route> };

export default defineCheck<Reads, Followed>({
  id: "ingress-controllers",
  name: "IngressNotReady",
  title: "Ingress controllers and routes are ready for the target",
  risks: [notUpgradeable, routesUnservable],
  applies: { kind: "updates", kinds: ["patch", "minor"] },
  needsManifests: false,
  reads: () => ({ operator: get("config.openshift.io/v1/clusteroperators", "ingress", () => true as const) }),
  mayRead: () => ({ controllers: controllers(), routes: routes() }),
  follow: ({ operator }, context) => {
    if (operator.kind === "absent" || !leavesMinor(context)) return {};
    return { controllers: controllers(), ...(routesTell(context) ? { routes: routes() } : {}) };
  },
  evaluate: ({ operator }, context, followed) => {
    if (!leavesMinor(context))
      return { notApplicable: `Ingress controllers hold back no update within ${minorText(context.source)}.` };
    if (operator.kind === "absent")
      return { notApplicable: "There is no clusteroperators.config.openshift.io ingress." };
    const found = followed.controllers ? valuesOf(followed.controllers) : [];
    return {
      findings: [...controllerFindings(found), ...routeFindings(followed.routes ? valuesOf(followed.routes) : [])],
      notices: [...evaluationNotices(found), ...laterNotice(context)],
      blind: unreadable(found),
    };
  },
});

function controllers(): Each<Controller> {
  return each("operator.openshift.io/v1/ingresscontrollers", keepController);
}

function routes(): Each<Route> {
  return each("route.openshift.io/v1/routes", keepRoute);
}
