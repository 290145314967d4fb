import { type Json, textAt } from "../../model/json.ts";
import type { Release } from "../../model/release.ts";
import { defined } from "../../model/optional.ts";

/** Who asked: `text` is "system:serviceaccount:ci:deployer (helm)", `namespace` that of a service account. */
export type ApiClient = { readonly text: string; readonly namespace?: string };

/**
 * Who asks for whatever is served, or comes new with the target: the controllers that Red Hat's documentation says to ignore, the API server
 * and the cluster-version operator themselves, and this tool.
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

/** Without the agent's version, which says nothing of who it is. */
export function parseClient(user: Json): ApiClient {
  const [name, agent] = [textAt(user, "username") || "a client without a name", textAt(user, "userAgent") ?? ""];
  const program = agent.split(/[/ ]/, 1).join();
  const namespace = /^system:serviceaccount:([^:]+):/.exec(name)?.[1];
  return {
    text: program === "" ? name : `${name} (${program})`,
    ...defined({ namespace }),
  };
}

/** Made by the release, and meant for what others install. */
const FOR_OTHERS = "openshift-operators";

/** The namespaces of the target's own operators, which come new with it and know what it serves. */
export function selectNamespaces({ manifests }: Pick<Release, "manifests">): ReadonlySet<string> {
  const namespaces = manifests.filter(({ apiVersion, kind }) => apiVersion === "v1" && kind === "Namespace");
  return new Set(namespaces.map(({ name }) => name).filter((name) => name !== FOR_OTHERS));
}
