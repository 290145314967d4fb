import { type Context, type Finding, formatTarget, type Judgement, type Unknown } from "../../model/check.ts";
import { compareText } from "../../model/json.ts";
import { joinNames, sortNames, summarizeNames } from "../../model/text.ts";
import { type ObjectRef, formatGroupVersion, formatResource } from "../../model/resource.ts";
import { type Api, type ApiRemoval, findReplacement, formatCountName, isRemoved } from "../../model/api-removals.ts";
import { type RequestingClient, isReadOnly, selectNamespaces, type ApiUsage } from "./api-usage.ts";
import { CLIENT_SEPARATOR, formatPeriod, risks } from "./risks.ts";

type CountedUsage = Extract<ApiUsage, { readonly kind: "usage" }>;

/** Judges the requests that the cluster counts. `removals`: of the APIs that it serves. */
export function judgeUsages(usages: readonly ApiUsage[], removals: readonly ApiRemoval[], context: Context): Judgement {
  const own = selectNamespaces(context.release);
  const counted = usages.filter((usage) => usage.kind === "usage");
  const countedNames = new Set(counted.map(({ api }) => formatResource(api)));
  const countedUsages = counted
    .filter(({ minor }) => isRemoved(minor, context))
    .map((usage) => removeOwnClients(usage, own));
  const readUsages = countedUsages.filter((usage) => !isNeeded(usage) && isRequested(usage));
  return {
    findings: countedUsages.filter(isNeeded).map((one) => buildFinding(one, context)),
    unknowns: usages.flatMap(buildUnknowns),
    notices: [
      ...readUsages.map((usage) => describeReads(usage, context)),
      ...(usages.some(({ kind }) => kind === "odd")
        ? []
        : buildUnusedNotices(
            countedUsages,
            removals.filter(({ api }) => !countedNames.has(formatResource(api))),
            context,
          )),
    ],
  };
}

function removeOwnClients(usage: CountedUsage, own: ReadonlySet<string>): CountedUsage {
  return { ...usage, clients: usage.clients.filter(({ namespace }) => namespace === undefined || !own.has(namespace)) };
}

function isRequested({ hasUnnamedClients, clients }: CountedUsage): boolean {
  return hasUnnamedClients || clients.length > 0;
}

/** Do clients need it, that is, did they do more than list it once, which those do that follow discovery? */
function isNeeded(usage: CountedUsage): boolean {
  return (usage.hasUnnamedClients && !isReadOnly(usage.unnamedVerbs)) || selectNeeding(usage).length > 0;
}

function selectNeeding({ clients }: CountedUsage): readonly RequestingClient[] {
  return clients.filter(({ verbs }) => !isReadOnly(verbs));
}

function buildFinding(usage: CountedUsage, context: Context): Finding {
  const { api, minor } = usage;
  const clients = selectNeeding(usage);
  const names = clients.map(({ text }) => text);
  const verbs = sortNames([...usage.unnamedVerbs, ...clients.flatMap((client) => client.verbs)]);
  const replacement = findReplacement(api, context);
  const what = verbs.length === 0 ? "" : ` (${verbs.join(", ")})`;
  const lastSeen = formatLastHour(clients, context.now);
  const moves = replacement === undefined ? "" : ` ${formatGroupVersion(replacement)} replaces it.`;
  return {
    risk: risks.RemovedKubernetesAPIInUse.name,
    object: buildRef(api, context),
    message: `Kubernetes 1.${minor} and later don't serve it, and ${names.length === 0 ? "clients" : summarizeNames(names)} requested it${what} ${formatPeriod(context)}.${moves}`,
    detail: {
      api: formatResource(api),
      removedIn: `1.${minor}`,
      ...(replacement && { replacement: formatGroupVersion(replacement) }),
      ...(names.length === 0 ? {} : { clients: names.join(CLIENT_SEPARATOR) }),
      ...(verbs.length === 0 ? {} : { verbs: verbs.join(CLIENT_SEPARATOR) }),
      ...(lastSeen === undefined ? {} : { lastSeen }),
    },
  };
}

/** The last full hour with a request: "14:00 to 15:00 UTC". */
function formatLastHour(clients: readonly RequestingClient[], now: Date): string | undefined {
  const current = now.getUTCHours();
  const byAge = clients.flatMap(({ hours }) => hours).toSorted((a, b) => getAge(a, current) - getAge(b, current));
  const [last] = byAge;
  return last === undefined ? undefined : `${formatHour(last)} to ${formatHour((last + 1) % HOURS)} UTC`;
}

const HOURS = 24;

function getAge(hour: number, current: number): number {
  return (current - hour + HOURS) % HOURS;
}

function formatHour(hour: number): string {
  return `${String(hour).padStart(2, "0")}:00`;
}

/** OpenShift has an object for each API. Without one, the API's own path is its name. */
function buildRef(api: Api, { platform }: Context): ObjectRef {
  if (platform === "openshift")
    return { apiVersion: "apiserver.openshift.io/v1", kind: "APIRequestCount", name: formatCountName(api) };
  return { apiVersion: formatGroupVersion(api), kind: "API", name: formatResource(api) };
}

function buildUnknowns(usage: ApiUsage): readonly Unknown[] {
  return usage.kind === "odd" ? [{ reason: "NotUnderstood", where: usage.where, message: usage.message }] : [];
}

function describeReads(usage: CountedUsage, context: Context): string {
  const { api, clients, unnamedVerbs } = usage;
  const verbs = sortNames(
    [...unnamedVerbs, ...clients.flatMap((client) => client.verbs)].map((one) => one.toLowerCase()),
  );
  const who = clients.length === 0 ? "Clients" : summarizeNames(clients.map(({ text }) => text));
  return `${formatTarget(context)} no longer serves ${formatResource(api)}. ${who} requested it ${formatPeriod(context)}, but only with ${joinNames(verbs)}, as programs do that read every served version. If one of them needs this version, move it to another.`;
}

/** Names the other removed APIs, of which `uncounted` have no count: counts without a request don't prove that no client makes one. */
function buildUnusedNotices(
  countedUsages: readonly CountedUsage[],
  uncounted: readonly ApiRemoval[],
  context: Context,
): readonly string[] {
  const unusedNames = countedUsages.filter((one) => !isRequested(one)).map(({ api }) => formatResource(api));
  const names = [...unusedNames, ...uncounted.map(({ api }) => formatResource(api))].toSorted(compareText);
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
