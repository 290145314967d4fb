import type { Context } from "../../model/check.ts";
import { compareText } from "../../model/json.ts";
import { summarizeNames } from "../../model/names.ts";
import { crosses } from "../../model/version.ts";
import type { PodClaims } from "./pod-claims.ts";

const REPORTED_FROM = "5.0";

/** The claims that pods mount under more than one SELinux level, as "namespace/name", sorted. */
export function selectSharedClaims(pods: readonly PodClaims[]): readonly string[] {
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
