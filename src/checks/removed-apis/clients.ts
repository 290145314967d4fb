import { type Json, textAt } from "../../model/json.ts";
import type { Release } from "../../model/release.ts";
import { defined } from "../../model/optional.ts";

/** A client: `text` is "system:serviceaccount:ci:deployer (helm)", `namespace` that of a service account. */
export type ApiClient = { readonly text: string; readonly namespace?: string };

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

/** Omits the agent's version, which doesn't identify the client. */
export function parseClient(user: Json): ApiClient {
  const [name, agent] = [textAt(user, "username") || "a client without a name", textAt(user, "userAgent") ?? ""];
  const program = agent.split(/[/ ]/, 1).join();
  const namespace = /^system:serviceaccount:([^:]+):/.exec(name)?.[1];
  return {
    text: program === "" ? name : `${name} (${program})`,
    ...defined({ namespace }),
  };
}

/** The release creates this namespace for operators that others install. */
const FOR_OTHERS = "openshift-operators";

/** The namespaces of the target's own operators, which the update replaces with ones that know what it serves. */
export function selectNamespaces({ manifests }: Pick<Release, "manifests">): ReadonlySet<string> {
  const namespaces = manifests.filter(({ apiVersion, kind }) => apiVersion === "v1" && kind === "Namespace");
  return new Set(namespaces.map(({ name }) => name).filter((name) => name !== FOR_OTHERS));
}
