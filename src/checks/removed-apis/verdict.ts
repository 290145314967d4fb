import type { Unknown, Context, Finding, Judgement } from "../../model/check.ts";
import { compareText } from "../../model/json.ts";
import type { ObjectRef } from "../../model/resource.ts";
import { type Api, formatApi, formatCountName, isRemoved } from "./api.ts";
import { selectNamespaces } from "./clients.ts";
import { summarizeNames } from "../../model/names.ts";
import { REMOVED_IN_USE, CLIENT_SEPARATOR, formatPeriod, formatTarget } from "./risks.ts";
import { SERVED_BY_DEFAULT } from "./removals.ts";
import type { ApiUsage } from "./api-usage.ts";

type CountedUsage = Extract<ApiUsage, { readonly kind: "usage" }>;

export function judgeUsages(usages: readonly ApiUsage[], context: Context): Judgement {
  const own = selectNamespaces(context.release);
  const countedUsages = usages.filter(isCountedUsage).map((usage) => removeOwnClients(usage, own));
  return {
    findings: countedUsages
      .filter((one) => isRemoved(one.minor, context) && isUsed(one))
      .map((one) => buildFinding(one, context)),
    unknowns: usages.flatMap(buildUnknowns),
    notices: usages.some(({ kind }) => kind === "odd") ? [] : buildUnusedNotices(countedUsages, context),
  };
}

function removeOwnClients(usage: CountedUsage, own: ReadonlySet<string>): CountedUsage {
  return { ...usage, clients: usage.clients.filter(({ namespace }) => namespace === undefined || !own.has(namespace)) };
}

function isUsed({ hasUnnamedClients, clients }: CountedUsage): boolean {
  return hasUnnamedClients || clients.length > 0;
}

function isCountedUsage(usage: ApiUsage): usage is CountedUsage {
  return usage.kind === "usage";
}

function buildFinding({ api, minor, clients }: CountedUsage, context: Context): Finding {
  const names = clients.map(({ text }) => text);
  const who = names.length === 0 ? "clients" : summarizeNames(names);
  return {
    risk: REMOVED_IN_USE,
    object: buildRef(api, context),
    message: `Kubernetes 1.${minor} and later don't serve it, and ${who} requested it ${formatPeriod(context)}.`,
    detail: {
      api: formatApi(api),
      removedIn: `1.${minor}`,
      ...(names.length === 0 ? {} : { clients: names.join(CLIENT_SEPARATOR) }),
    },
  };
}

/** OpenShift has an object for each API. Without one, the API's own path is its name. */
function buildRef(api: Api, { platform }: Context): ObjectRef {
  if (platform === "openshift")
    return { apiVersion: "apiserver.openshift.io/v1", kind: "APIRequestCount", name: formatCountName(api) };
  const apiVersion = api.group === "" ? api.version : `${api.group}/${api.version}`;
  return { apiVersion, kind: "API", name: formatApi(api) };
}

function buildUnknowns(usage: ApiUsage): readonly Unknown[] {
  return usage.kind === "odd" ? [{ reason: "NotUnderstood", where: usage.where, message: usage.message }] : [];
}

/** Names the other removed APIs: counts without a request don't prove that no client makes one. */
function buildUnusedNotices(countedUsages: readonly CountedUsage[], context: Context): readonly string[] {
  const countedNames = new Set(countedUsages.map(({ api }) => formatApi(api)));
  const unusedNames = countedUsages
    .filter((one) => isRemoved(one.minor, context) && !isUsed(one))
    .map(({ api }) => formatApi(api));
  const removedNames = SERVED_BY_DEFAULT.filter((one) => isRemoved(one[context.platform], context)).map(({ api }) =>
    formatApi(api),
  );
  const names = [...unusedNames, ...removedNames.filter((name) => !countedNames.has(name))].toSorted(compareText);
  if (names.length === 0) return [];
  const it = names.length === 1 ? "it" : "them";
  return [
    `${formatTarget(context)} no longer serves ${summarizeNames(names)}. ${describeNoClient(context)} requested ${it} ${formatPeriod(context)}; ${describeLimitation(context)}.`,
  ];
}

function describeNoClient({ platform }: Context): string {
  return platform === "openshift" ? "No client other than OpenShift's own" : "No client";
}

function describeLimitation({ platform }: Context): string {
  return platform === "openshift"
    ? "the counts don't show clients that make requests less often"
    : "each API server counts only its own requests, and the check reads the counts of one";
}
