import type { Context, Finding, RiskText } from "../../model/check.ts";
import { compareText } from "../../model/json.ts";
import { summarizeNames } from "../../model/names.ts";

export const REMOVED_IN_USE = "RemovedKubernetesAPIInUse";

export const removedKubernetesApiInUse: RiskText = {
  name: REMOVED_IN_USE,
  effect: "broken",
  leadTime: "days",
  title: "Clients request APIs that the target no longer serves",
  url: "https://kubernetes.io/docs/reference/using-api/deprecation-guide/",
  describe: (objects, context, findings) =>
    `${formatTarget(context)} no longer serves APIs that clients requested ${formatPeriod(context)}: ${objects}${formatClients(findings)}. Such requests then fail with 404; the risk clears ${formatClearing(context)}.`,
  remediation:
    "First move the clients to versions that the target serves, including clients that make such requests less often than daily.",
};

/** "4.19.3 (Kubernetes 1.32)", or "Kubernetes 1.32.0" without OpenShift. */
export function formatTarget({ platform, target, kubernetes }: Context): string {
  return platform === "openshift" ? `${target.text} (Kubernetes 1.${kubernetes.target})` : `Kubernetes ${target.text}`;
}

export function formatPeriod({ platform }: Context): string {
  return platform === "openshift" ? "in the last 24 hours" : "since the API server started";
}

function formatClearing({ platform }: Context): string {
  return platform === "openshift" ? "24 hours after the last one" : "when the API server restarts";
}

/** Separates clients in a finding's detail: names of users and programs don't contain it. */
export const CLIENT_SEPARATOR = "; ";

function formatClients(findings: readonly Finding[]): string {
  const clients = findings.flatMap(({ detail }) => detail?.["clients"]?.split(CLIENT_SEPARATOR) ?? []);
  return clients.length === 0 ? "" : `, by ${summarizeNames([...new Set(clients)].toSorted(compareText))}`;
}
