import { type Json, textAt } from "../../model/json.ts";

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

export function isOwn(user: Json): boolean {
  const agent = textAt(user, "userAgent") ?? "";
  return OWN_USERS.has(textAt(user, "username") ?? "") || OWN_AGENTS.some((name) => agent.startsWith(name));
}

/** "system:serviceaccount:ci:deployer (helm)": without the agent's version, which says nothing of who it is. */
export function clientText(user: Json): string {
  const [name, agent] = [textAt(user, "username") || "a client without a name", textAt(user, "userAgent") ?? ""];
  const program = agent.split(/[/ ]/, 1).join();
  return program === "" ? name : `${name} (${program})`;
}
