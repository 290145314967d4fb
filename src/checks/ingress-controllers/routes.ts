import type { Context, Finding } from "../../model/check.ts";
import { type Json, type JsonObject, listAt, textAt } from "../../model/json.ts";
import { type ObjectRef, refOf } from "../../model/resource.ts";
import { type Version, compareVersions, crosses, parseVersion } from "../../model/version.ts";
import { risks } from "./risks.ts";

/**
 * From 4.15.18 on, the routers of 4.15 mark the routes that those of 4.16 reject (release notes of 4.15.18, OCPBUGS-28928);
 * from 4.16 on, they only remove such marks.
 */
const MARKED_FROM = "4.15.18";
const REJECTED_FROM = "4.16";

/** A route that a router marked, with the router's message. */
export type MarkedRoute = { readonly object: ObjectRef; readonly router: string; readonly message: string };

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
