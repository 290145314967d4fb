import type { Blind, Context, Finding, Judgement } from "../../model/check.ts";
import { byText } from "../../model/json.ts";
import type { ObjectRef } from "../../model/resource.ts";
import { type Api, apiText, countName, goes } from "./api.ts";
import { namespacesOf } from "./clients.ts";
import { joinSome } from "../../model/names.ts";
import { REMOVED_IN_USE, SEPARATOR, since, targetText } from "./risks.ts";
import { servedByDefault } from "./table.ts";
import type { Usage } from "./usage.ts";

type Counted = Extract<Usage, { readonly kind: "usage" }>;

export function verdictOn(usages: readonly Usage[], context: Context): Judgement {
  const own = namespacesOf(context.release);
  const counted = usages.filter(isCounted).map((usage) => withoutOwn(usage, own));
  return {
    findings: counted.filter((one) => goes(one.minor, context) && isUsed(one)).map((one) => findingOf(one, context)),
    blind: usages.flatMap(blindOf),
    notices: usages.some(({ kind }) => kind === "odd") ? [] : unseenNotice(counted, context),
  };
}

function withoutOwn(usage: Counted, own: ReadonlySet<string>): Counted {
  return { ...usage, clients: usage.clients.filter(({ namespace }) => namespace === undefined || !own.has(namespace)) };
}

function isUsed({ unnamed, clients }: Counted): boolean {
  return unnamed || clients.length > 0;
}

function isCounted(usage: Usage): usage is Counted {
  return usage.kind === "usage";
}

function findingOf({ api, minor, clients }: Counted, context: Context): Finding {
  const names = clients.map(({ text }) => text);
  const who = names.length === 0 ? "clients" : joinSome(names);
  return {
    risk: REMOVED_IN_USE,
    object: refOf(api, context),
    message: `From Kubernetes 1.${minor} on it is no longer served, and ${who} asked for it ${since(context)}.`,
    detail: {
      api: apiText(api),
      removedIn: `1.${minor}`,
      ...(names.length === 0 ? {} : { clients: names.join(SEPARATOR) }),
    },
  };
}

/** OpenShift has an object for each API. Elsewhere there is none, and the API's own path is its name. */
function refOf(api: Api, { platform }: Context): ObjectRef {
  if (platform === "openshift")
    return { apiVersion: "apiserver.openshift.io/v1", kind: "APIRequestCount", name: countName(api) };
  const apiVersion = api.group === "" ? api.version : `${api.group}/${api.version}`;
  return { apiVersion, kind: "API", name: apiText(api) };
}

function blindOf(usage: Usage): readonly Blind[] {
  return usage.kind === "odd" ? [{ reason: "NotUnderstood", where: usage.where, message: usage.message }] : [];
}

/** That nobody was seen is no proof that nobody asks. What the cluster counts goes when the cluster says so. */
function unseenNotice(counted: readonly Counted[], context: Context): readonly string[] {
  const seen = new Set(counted.map(({ api }) => apiText(api)));
  const unused = counted.filter((one) => goes(one.minor, context) && !isUsed(one)).map(({ api }) => apiText(api));
  const known = servedByDefault.filter((one) => goes(one[context.platform], context)).map(({ api }) => apiText(api));
  const names = [...unused, ...known.filter((name) => !seen.has(name))].toSorted(byText);
  if (names.length === 0) return [];
  const it = names.length === 1 ? "it" : "them";
  return [
    `${targetText(context)} no longer serves ${joinSome(names)}. ${unseen(context)} was seen to ask for ${it} ${since(context)}; ${limit(context)}.`,
  ];
}

function unseen({ platform }: Context): string {
  return platform === "openshift" ? "No client but OpenShift's own" : "No client";
}

function limit({ platform }: Context): string {
  return platform === "openshift"
    ? "one that asks less often would not show"
    : "each API server counts for itself, and only the one that answered was asked";
}
