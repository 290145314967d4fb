import type { Context, Finding } from "../../model/check.ts";
import type { Platform } from "../../model/version.ts";
import { buildPatchCommand, buildObjectCommand, buildPrefix } from "../../model/commands.ts";
import { sortNames, summarizeNames } from "../../model/text.ts";
import type { ObjectRef } from "../../model/resource.ts";
import { readRisks } from "../shared/risks.ts";

export const risks = readRisks("removed-apis", {
  RemovedKubernetesAPIInUse: {
    message: { clients: formatClients, replacements: formatReplacements, clearing: formatClearing },
    see: ({ object }, { platform }) => [buildSeeCommand(object, platform)],
    fixKind: "disruptive",
    fix: ({ object }, { platform }) => (isAboutRequests(object) ? [] : buildRewrite(object, platform)),
  },
});

function buildSeeCommand(object: ObjectRef, platform: Platform): string {
  if (object.kind === "API") return "kubectl get --raw /metrics | grep apiserver_requested_deprecated_apis";
  const show = buildObjectCommand(platform, "get", object);
  return object.kind === "APIRequestCount" ? show : `${show} --show-managed-fields`;
}

/** The findings about requests are about no object that a client wrote. */
function isAboutRequests({ kind }: ObjectRef): boolean {
  return kind === "APIRequestCount" || kind === "API";
}

/** First the client's own manifest, in a version that the target serves; then its old entry, which may stay. */
function buildRewrite(object: ObjectRef, platform: Platform): readonly string[] {
  const operation = { op: "replace", path: "/metadata/managedFields", value: [{}] };
  return [
    `${buildPrefix(platform, object.namespace)} apply -f <changed-manifest>`,
    buildPatchCommand(platform, object, [operation]),
  ];
}

export function formatPeriod({ platform }: Context): string {
  return platform === "openshift" ? "in the last 24 hours" : "since the API server started";
}

/** Separates the names in a finding's detail: those of users and programs don't contain it. */
export const CLIENT_SEPARATOR = "; ";

function formatClients(findings: readonly Finding[]): string {
  const clients = findings.flatMap(({ detail }) => detail?.["clients"]?.split(CLIENT_SEPARATOR) ?? []);
  return clients.length === 0 ? "" : `, by ${summarizeNames(sortNames(clients))}`;
}

function formatReplacements(findings: readonly Finding[]): string {
  const versions = sortNames(findings.flatMap(({ detail }) => detail?.["replacement"] ?? []));
  return versions.length === 0 ? "" : ` (move to ${summarizeNames(versions)})`;
}

/** A client that finds nothing to change writes nothing, and its old entry stays. */
const OBJECT_CLEARING = `an object clears as soon as the client writes it in another version or, if the client has moved and writes nothing, after kubectl patch KIND NAME --type=json -p '[{"op":"replace","path":"/metadata/managedFields","value":[{}]}]'`;

function formatClearing(findings: readonly Finding[], { platform }: Context): string {
  const isCount = ({ object }: Finding): boolean => isAboutRequests(object);
  const after = platform === "openshift" ? "24 hours after the last one" : "when the API server restarts";
  const parts = [
    ...(findings.every(isCount) ? [] : [OBJECT_CLEARING]),
    ...(findings.some(isCount) ? [`requests clear ${after}`] : []),
  ];
  return parts.join("; ");
}
