import type { Finding } from "../../model/check.ts";
import { type GatewayCrd, isManaged, findManagedVersions } from "./crds.ts";
import { gatewayApiCrdsTakenOver, gatewayApiCrdsDegradeIngress, gatewayApiStoredVersionsLost } from "./risks.ts";
import type { MinorVersion } from "../../model/version.ts";

export function buildTakeoverFindings(crds: readonly GatewayCrd[], target: MinorVersion): readonly Finding[] {
  return crds
    .filter((crd) => isManaged(crd, target))
    .map((crd) => ({
      risk: gatewayApiCrdsTakenOver.name,
      object: crd.object,
      message: `The ingress operator of 4.19 and later puts its own in place of this one${formatOrigin(crd)}.`,
      detail: { bundleVersion: crd.bundle, channel: crd.channel },
    }));
}

function formatOrigin({ bundle, channel }: GatewayCrd): string {
  const parts = [bundle === "" ? [] : [bundle], channel === "" ? [] : [`the ${channel} channel`]].flat();
  return parts.length === 0 ? "" : `, which is of ${parts.join(", ")}`;
}

export function buildUnmanagedFindings(crds: readonly GatewayCrd[], target: MinorVersion): readonly Finding[] {
  return crds
    .filter((crd) => crd.kind === "gateway" && !isManaged(crd, target))
    .map((crd) => ({
      risk: gatewayApiCrdsDegradeIngress.name,
      object: crd.object,
      message: "The ingress operator of 4.19 and later doesn't bring it, and is Degraded while it is there.",
      detail: { bundleVersion: crd.bundle, channel: crd.channel },
    }));
}

/** The API server refuses a CRD that lacks a version in which objects may still be stored. */
export function buildLostVersionFindings(crds: readonly GatewayCrd[]): readonly Finding[] {
  return crds.flatMap((crd) => {
    const managedVersions = findManagedVersions(crd);
    const lostVersions =
      managedVersions === undefined
        ? []
        : (crd.storedVersions ?? []).filter((version) => !managedVersions.includes(version));
    if (lostVersions.length === 0) return [];
    return [
      {
        risk: gatewayApiStoredVersionsLost.name,
        object: crd.object,
        path: "status.storedVersions",
        message: `Objects may be stored as ${lostVersions.join(", ")}, which the ingress operator's own CRD doesn't have.`,
        detail: { versions: lostVersions.join(",") },
      },
    ];
  });
}
