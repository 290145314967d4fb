import type { Finding } from "../../model/check.ts";
import { type GatewayCrd, isManaged, keptVersions } from "./crds.ts";
import { crdsTakenOver, crdsUnmanaged, storedVersionsLost } from "./risks.ts";

type Minor = { readonly major: number; readonly minor: number };

export function takenOver(crds: readonly GatewayCrd[], target: Minor): readonly Finding[] {
  return crds
    .filter((crd) => isManaged(crd, target))
    .map((crd) => ({
      risk: crdsTakenOver.name,
      object: crd.object,
      message: `The ingress operator of 4.19 and later puts its own in place of this one${ofWhat(crd)}.`,
      detail: { bundleVersion: crd.bundle, channel: crd.channel },
    }));
}

function ofWhat({ bundle, channel }: GatewayCrd): string {
  const parts = [bundle === "" ? [] : [bundle], channel === "" ? [] : [`the ${channel} channel`]].flat();
  return parts.length === 0 ? "" : `, which is of ${parts.join(", ")}`;
}

export function unmanaged(crds: readonly GatewayCrd[], target: Minor): readonly Finding[] {
  return crds
    .filter((crd) => crd.kind === "gateway" && !isManaged(crd, target))
    .map((crd) => ({
      risk: crdsUnmanaged.name,
      object: crd.object,
      message: "The ingress operator of 4.19 and later doesn't bring it, and is Degraded while it is there.",
      detail: { bundleVersion: crd.bundle, channel: crd.channel },
    }));
}

/** The API server refuses a CRD that lacks a version in which objects may still be stored. */
export function lostVersions(crds: readonly GatewayCrd[]): readonly Finding[] {
  return crds.flatMap((crd) => {
    const kept = keptVersions(crd);
    const lost = kept === undefined ? [] : (crd.stored ?? []).filter((version) => !kept.includes(version));
    if (lost.length === 0) return [];
    return [
      {
        risk: storedVersionsLost.name,
        object: crd.object,
        path: "status.storedVersions",
        message: `Objects may be stored as ${lost.join(", ")}, which the ingress operator's own CRD doesn't have.`,
        detail: { versions: lost.join(",") },
      },
    ];
  });
}
