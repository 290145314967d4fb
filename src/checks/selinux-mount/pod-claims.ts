import { type Json, type JsonObject, flagAt, listAt, objectAt, textAt, compareText } from "../../model/json.ts";
import { hasEnded } from "../shared/pod.ts";
import type { Context } from "../../model/check.ts";
import { summarizeNames } from "../../model/names.ts";
import { crosses } from "../../model/version.ts";

/** A pod with the claims that it mounts, each with the SELinux levels under which its containers run. */
export type PodClaims = {
  readonly namespace: string;
  readonly pod: string;
  readonly claims: readonly { readonly claim: string; readonly levels: readonly string[] }[];
};

/** Drops pods that have ended, which mount nothing, and those with the policy Recursive, which don't change. */
export function keepPodClaims(object: JsonObject): PodClaims | undefined {
  if (hasEnded(object)) return undefined;
  if (textAt(object, "spec", "securityContext", "seLinuxChangePolicy") === "Recursive") return undefined;
  const claims = listAt(object, "spec", "volumes").flatMap((volume) => parseClaim(volume, object));
  const namespace = textAt(object, "metadata", "namespace") ?? "";
  return claims.length === 0 ? undefined : { namespace, pod: textAt(object, "metadata", "name") ?? "", claims };
}

function parseClaim(volume: Json, pod: JsonObject): PodClaims["claims"] {
  const claim = textAt(volume, "persistentVolumeClaim", "claimName");
  const levels = claim === undefined ? [] : selectLevels(textAt(volume, "name") ?? "", pod);
  return claim === undefined || levels.length === 0 ? [] : [{ claim, levels }];
}

/** A container's own level takes precedence over the pod's. Privileged containers can read files of every label. */
function selectLevels(volume: string, pod: JsonObject): readonly string[] {
  const podLevel = textAt(pod, "spec", "securityContext", "seLinuxOptions", "level");
  const containers = [...listAt(pod, "spec", "initContainers"), ...listAt(pod, "spec", "containers")];
  const levels = containers
    .filter((container) => listAt(container, "volumeMounts").some((mount) => textAt(mount, "name") === volume))
    .map((container) => objectAt(container, "securityContext"))
    .filter((context) => flagAt(context, "privileged") !== true)
    .flatMap((context) => textAt(context, "seLinuxOptions", "level") ?? podLevel ?? []);
  return [...new Set(levels)];
}

const REPORTED_FROM = "5.0";

/** The claims that pods mount under more than one SELinux level, as "namespace/name", sorted. */
function selectSharedClaims(pods: readonly PodClaims[]): readonly string[] {
  const uses = pods.flatMap(({ namespace, claims }) =>
    claims.flatMap(({ claim, levels }) => levels.map((level) => ({ claim: `${namespace}/${claim}`, level }))),
  );
  return [...Map.groupBy(uses, ({ claim }) => claim)]
    .flatMap(([claim, of]) => (new Set(of.map(({ level }) => level)).size > 1 ? [claim] : []))
    .toSorted(compareText);
}

export function buildComparisonNotice(pods: readonly PodClaims[], { source, target }: Context): string {
  const claims = selectSharedClaims(pods);
  const result =
    claims.length === 0
      ? "No running pods share a claim with different SELinux levels now."
      : `Pods with different SELinux levels mount these claims: ${summarizeNames(claims)}.`;
  const later = crosses(source, REPORTED_FROM, target) ? ` ${REPORTED_FROM} does: run this check again there.` : "";
  return `From 5.1 on pods with different SELinux labels can't share most volumes. The cluster doesn't report such pods itself yet (ConfigMap openshift-config/selinux-conflicts is missing).${later} ${result}`;
}
