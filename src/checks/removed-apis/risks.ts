import type { Context, Finding, RiskText } from "../../model/check.ts";
import { compareText } from "../../model/json.ts";
import { summarizeNames } from "../../model/names.ts";

export const REMOVED_IN_USE = "RemovedKubernetesAPIInUse";

export const removedKubernetesApiInUse: RiskText = {
  name: REMOVED_IN_USE,
  title: "APIs in use that the target no longer serves",
  url: "https://kubernetes.io/docs/reference/using-api/deprecation-guide/",
  describe: (objects, context, findings) =>
    `Updating to ${formatTarget(context)} takes away APIs that clients asked for ${formatPeriod(context)}: ${objects}${formatClients(findings)}. Such requests fail with 404 from then on.`,
  remediation:
    "First move the clients to versions that the target serves, those that ask less often than daily included.",
};

/** "4.19.3 (Kubernetes 1.32)", or "Kubernetes 1.32.0" where that is all. */
export function formatTarget({ platform, target, kubernetes }: Context): string {
  return platform === "openshift" ? `${target.text} (Kubernetes 1.${kubernetes.target})` : `Kubernetes ${target.text}`;
}

export function formatPeriod({ platform }: Context): string {
  return platform === "openshift" ? "in the last 24 hours" : "since the API server started";
}

/** Between clients in a finding's detail: no name of a user or a program has it. */
export const CLIENT_SEPARATOR = "; ";

function formatClients(findings: readonly Finding[]): string {
  const clients = findings.flatMap(({ detail }) => detail?.["clients"]?.split(CLIENT_SEPARATOR) ?? []);
  return clients.length === 0 ? "" : `, by ${summarizeNames([...new Set(clients)].toSorted(compareText))}`;
}
