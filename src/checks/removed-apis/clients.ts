import { compareText, type Json, listAt, numberAt, textAt } from "../../model/json.ts";
import { sortNames } from "../../model/names.ts";
import type { Release } from "../../model/release.ts";
import type { Api } from "./api.ts";

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

export function buildOddUsage(where: string, message: string): ApiUsage {
  return { kind: "odd", where, message };
}
