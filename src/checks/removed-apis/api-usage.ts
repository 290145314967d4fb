import { type Json, type JsonObject, compareText, listAt, numberAt, textAt, at, isList } from "../../model/json.ts";
import { sortNames } from "../../model/text.ts";
import type { Release } from "../../model/release.ts";
import { type Api, parseCountName, parseRemovalMinor, findRemoval } from "../../model/api-removals.ts";
import { formatResource } from "../../model/resource.ts";
import { countOtherRequests, requestsOf, usersOf } from "../shared/api-use.ts";

/** A client: `text` is "system:serviceaccount:ci:deployer (helm)", `namespace` that of a service account. */
export type RequestingClient = {
  readonly text: string;
  readonly namespace?: string;
  /** What it did ("list"), sorted; empty if the cluster doesn't say. */
  readonly verbs: readonly string[];
  /** The hours of the day, in UTC, in which it did so. */
  readonly hours: readonly number[];
};

/** Clients that follow discovery, such as backups, list whatever is served; those that need a version also watch or write. */
export function isReadOnly(verbs: readonly string[]): boolean {
  return verbs.length > 0 && verbs.every((verb) => /^(?:get|list)$/i.test(verb));
}

/**
 * Clients that request whatever is served, or that the update replaces: the controllers that Red Hat's documentation says to ignore, the
 * API server, the cluster-version operator, and this tool.
 */
const OWN_USERS: ReadonlySet<string> = new Set([
  "system:apiserver",
  "system:cluster-policy-controller",
  "system:kube-controller-manager",
  "system:serviceaccount:kube-system:generic-garbage-collector",
  "system:serviceaccount:kube-system:namespace-controller",
  "system:serviceaccount:openshift-cluster-version:cluster-version-operator",
  "system:serviceaccount:openshift-cluster-version:default",
]);
const OWN_AGENTS = [
  "cluster-policy-controller/",
  "cluster-version-operator/",
  "kube-controller-manager/",
  "target-release-preflight/",
];

export function isOwnUser(user: Json): boolean {
  const agent = textAt(user, "userAgent") ?? "";
  return OWN_USERS.has(textAt(user, "username") ?? "") || OWN_AGENTS.some((name) => agent.startsWith(name));
}

/** Omits the agent's version, which doesn't identify the client. `hour` is undefined if the cluster doesn't say which it was. */
export function parseClient(user: Json, hour: number | undefined): RequestingClient {
  const name = textAt(user, "username") || "a client without a name";
  const agent = textAt(user, "userAgent") ?? "";
  const program = agent.split(/[/ ]/, 1).join();
  const namespace = /^system:serviceaccount:([^:]+):/.exec(name)?.[1];
  return {
    text: program === "" ? name : `${name} (${program})`,
    namespace,
    verbs: listAt(user, "byVerb")
      .filter((counted) => numberAt(counted, "requestCount") !== 0)
      .flatMap((counted) => textAt(counted, "verb") ?? []),
    hours: hour === undefined ? [] : [hour],
  };
}

/** One client of the same requests, counted in several hours or on several nodes. */
export function mergeClients(clients: readonly RequestingClient[]): readonly RequestingClient[] {
  return [...Map.groupBy(clients, ({ text }) => text)]
    .toSorted(([a], [b]) => compareText(a, b))
    .flatMap(([, group]) => group.slice(0, 1).map((first) => ({ ...first, ...mergeRequests(group) })));
}

/** Verbs of which one part is not known say nothing. */
function mergeRequests(group: readonly RequestingClient[]): Pick<RequestingClient, "verbs" | "hours"> {
  const isComplete = group.every(({ verbs }) => verbs.length > 0);
  return {
    verbs: isComplete ? sortNames(group.flatMap(({ verbs }) => verbs)) : [],
    hours: [...new Set(group.flatMap(({ hours }) => hours))].toSorted((a, b) => a - b),
  };
}

/** The release creates this namespace for operators that others install. */
const FOR_OTHERS = "openshift-operators";

/** The namespaces of the target's own operators, which the update replaces with ones that know what it serves. */
export function selectNamespaces({ manifests }: Pick<Release, "manifests">): ReadonlySet<string> {
  const namespaces = manifests.filter(({ apiVersion, kind }) => apiVersion === "v1" && kind === "Namespace");
  return new Set(namespaces.map(({ name }) => name).filter((name) => name !== FOR_OTHERS));
}

/** How clients use an API that some release removes, as the cluster counts it. `odd`: what could not be parsed. */
export type ApiUsage =
  | {
      readonly kind: "usage";
      readonly api: Api;
      /** The minor of Kubernetes 1 that removes it. */
      readonly minor: number;
      /** Were there requests of clients that the cluster doesn't name? */
      readonly hasUnnamedClients: boolean;
      /** What those did ("LIST"); empty if the cluster doesn't say. */
      readonly unnamedVerbs: readonly string[];
      /** The clients that made requests, sorted. */
      readonly clients: readonly RequestingClient[];
    }
  | { readonly kind: "odd"; readonly where: string; readonly message: string };

function buildOddUsage(where: string, message: string): ApiUsage {
  return { kind: "odd", where, message };
}

/** Keeps an APIRequestCount (apiserver.openshift.io/v1) of an API that some release removes. The cluster's own date takes precedence over the table's. */
export function keepRequestCount(object: JsonObject): ApiUsage | undefined {
  const name = textAt(object, "metadata", "name") ?? "";
  const api = parseCountName(name);
  const release = at(object, "status", "removedInRelease") ?? "";
  const buildOdd = (message: string): ApiUsage => buildOddUsage(`APIRequestCount ${name}`, message);
  if (api === undefined) return release === "" ? undefined : buildOdd("its name is not an API's");
  const minor = release === "" ? findRemoval(api)?.removedIn.openshift : parseRemovalMinor(release);
  if (minor === undefined)
    return release === "" ? undefined : buildOdd(`its removedInRelease ${JSON.stringify(release)} is not a release`);
  const hours = parseHours(at(object, "status"));
  if (hours === undefined || !hours.every(({ counts }) => hasValidCounts(counts)))
    return buildOdd("its counts can't be parsed");
  return {
    kind: "usage",
    api,
    minor,
    hasUnnamedClients: hours.some(({ counts }) => countOtherRequests(counts) > 0),
    unnamedVerbs: [],
    clients: selectClients(hours),
  };
}

function selectClients(hours: readonly CountedHour[]): readonly RequestingClient[] {
  return mergeClients(
    hours.flatMap(({ counts, hour }) =>
      usersOf(counts)
        .filter((user) => !isOwnUser(user) && requestsOf(user) > 0)
        .map((user) => parseClient(user, hour)),
    ),
  );
}

/** `hour` is that of the day in UTC, by its place in the list; the current hour has none. */
type CountedHour = { readonly counts: Json; readonly hour: number | undefined };

/** The hours of the last day. The current hour is one of them, but may be written there later. */
function parseHours(status: Json | undefined): readonly CountedHour[] | undefined {
  const current = at(status, "currentHour");
  const day = at(status, "last24h");
  if (day !== undefined && !isList(day)) return undefined;
  const hours = listAt(status, "last24h").map((counts, hour) => ({ counts, hour }));
  return [...(current === undefined ? [] : [{ counts: current, hour: undefined }]), ...hours];
}

function hasValidCounts(hour: Json): boolean {
  const counts = [hour, ...usersOf(hour)].map((counted) => at(counted, "requestCount"));
  return counts.every((count) => count === undefined || typeof count === "number");
}

/** An API server sets it to 1 for every deprecated API that clients have requested since it started. */
const SAMPLES = "apiserver_requested_deprecated_apis{";
/** Every API server's metrics have this line; without it they are something else's. */
const PROOF = "# TYPE apiserver_request_total ";
/** All requests by verb, of which only those in versions that may be removed matter. */
const REQUESTS = "apiserver_request_total{";
const REMOVABLE = /[{,]version="v\d+(?:alpha|beta)\d+"/;

export function isRelevantLine(line: string): boolean {
  return line.startsWith(SAMPLES) || line.startsWith(PROOF) || isRequestCount(line);
}

function isRequestCount(line: string): boolean {
  return line.startsWith(REQUESTS) && REMOVABLE.test(line);
}

/** The deprecated APIs that clients requested from an API server. Throws if the text is not an API server's metrics. */
export function keepMetrics(text: string): readonly ApiUsage[] {
  const lines = text.split("\n");
  if (!lines.some((line) => line.startsWith(PROOF))) throw new Error("these are not the metrics of an API server");
  const verbs = collectVerbs(lines.filter(isRequestCount));
  const usages = lines.filter((line) => line.startsWith(SAMPLES)).flatMap((line) => parseUsage(line, verbs));
  return [...new Map(usages.map((usage) => [formatKey(usage), usage])).values()];
}

/** Subresources are counted apart, and are removed with their resource. */
function formatKey(usage: ApiUsage): string {
  return usage.kind === "odd" ? usage.message : formatResource(usage.api);
}

type Sample = { readonly labels: ReadonlyMap<string | undefined, string | undefined>; readonly value: number };

function parseSample(line: string): Sample {
  const match = /^\w+\{(.*)\} (\S+)(?: \d+)?$/.exec(line);
  const labels = [...(match?.[1] ?? "").matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)];
  return { labels: new Map(labels.map(([, key, value]) => [key, value])), value: Number(match?.[2]) };
}

function parseApi({ labels }: Sample): Api | undefined {
  const group = labels.get("group");
  const version = labels.get("version");
  const resource = labels.get("resource");
  return group === undefined || !version || !resource ? undefined : { group, version, resource };
}

/** The verbs of the requests for each API, by its text. */
function collectVerbs(lines: readonly string[]): ReadonlyMap<string, ReadonlySet<string>> {
  const verbs = new Map<string, Set<string>>();
  for (const sample of lines.map(parseSample)) {
    const api = parseApi(sample);
    const verb = sample.labels.get("verb");
    if (api === undefined || !verb || sample.value === 0) continue;
    const known = verbs.get(formatResource(api)) ?? new Set();
    verbs.set(formatResource(api), known.add(verb));
  }
  return verbs;
}

function parseUsage(line: string, verbs: ReadonlyMap<string, ReadonlySet<string>>): readonly ApiUsage[] {
  const sample = parseSample(line);
  const { labels, value } = sample;
  const api = parseApi(sample);
  if (api === undefined || Number.isNaN(value)) return [buildOddUsage("/metrics", `can't parse "${line}"`)];
  if (value === 0) return [];
  const announcedRelease = labels.get("removed_release") ?? "";
  const minor = announcedRelease === "" ? findRemoval(api)?.removedIn.kubernetes : parseRemovalMinor(announcedRelease);
  if (minor !== undefined) {
    const unnamedVerbs = sortNames([...(verbs.get(formatResource(api)) ?? [])]);
    return [{ kind: "usage", api, minor, hasUnnamedClients: true, unnamedVerbs, clients: [] }];
  }
  const fault = `"${announcedRelease}", the release that removes ${formatResource(api)}, is not a release`;
  return announcedRelease === "" ? [] : [buildOddUsage("/metrics", fault)];
}
