import type { Finding } from "../../model/check.ts";
import type { MinorVersion } from "../../model/version.ts";
import { type GatewayCrd, findManagedVersions, isManaged, GATE } from "./crds.ts";
import { risks } from "./risks.ts";
import { sortNames } from "../../model/names.ts";
import { buildNamesNotice } from "../shared/notices.ts";

export function buildTakeoverFindings(crds: readonly GatewayCrd[], target: MinorVersion): readonly Finding[] {
  return crds
    .filter((crd) => isManaged(crd, target))
    .map((crd) => ({
      risk: risks.GatewayAPICRDsTakenOver.name,
      object: crd.object,
      message: `The ingress operator of 4.19 and later replaces it with its own${formatOrigin(crd)}.`,
      detail: { bundleVersion: crd.bundle, channel: crd.channel },
    }));
}

function formatOrigin({ bundle, channel }: GatewayCrd): string {
  const parts = [bundle === "" ? [] : [bundle], channel === "" ? [] : [`the ${channel} channel`]].flat();
  return parts.length === 0 ? "" : `; the installed one is from ${parts.join(" of ")}`;
}

export function buildUnmanagedFindings(crds: readonly GatewayCrd[], target: MinorVersion): readonly Finding[] {
  return crds
    .filter((crd) => crd.kind === "gateway" && !isManaged(crd, target))
    .map((crd) => ({
      risk: risks.GatewayAPICRDsDegradeIngress.name,
      object: crd.object,
      message: "The ingress operator of 4.19 and later doesn't manage it, and reports Degraded while it exists.",
      detail: { bundleVersion: crd.bundle, channel: crd.channel },
    }));
}

/** The API server rejects a CRD that lacks a version in which objects may still be stored. */
export function buildLostVersionFindings(crds: readonly GatewayCrd[]): readonly Finding[] {
  return crds.flatMap((crd) => {
    const managedVersions = findManagedVersions(crd);
    const lostVersions =
      managedVersions === undefined
        ? []
        : (crd.storedVersions ?? []).filter((version) => !managedVersions.includes(version));
    if (lostVersions.length === 0) return [];
    const kept = (crd.storedVersions ?? []).filter((version) => !lostVersions.includes(version));
    return [
      {
        risk: risks.GatewayAPIStoredVersionsLost.name,
        object: crd.object,
        path: "status.storedVersions",
        message: `The ingress operator's own CRD drops ${lostVersions.join(", ")}, but status.storedVersions still lists ${lostVersions.length === 1 ? "it" : "them"}.`,
        detail: { versions: lostVersions.join(","), ...(kept.length > 0 ? { kept: kept.join(",") } : {}) },
      },
    ];
  });
}

/** The acknowledgement confirms that what uses the Gateway API is ready, so the takeover is not a risk any more. */
export function buildAcknowledgedNotices(takeovers: readonly Finding[]): readonly string[] {
  return buildNamesNotice(
    sortNames(takeovers.map(({ object }) => object.name)),
    (names) =>
      `From 4.19 on, the ingress operator replaces ${names} with its own CRDs, and nothing else may change them. The acknowledgement ${GATE} confirms that whatever uses the Gateway API in this cluster is ready for that.`,
  );
}

/** Only some 4.19 releases report Degraded because of these, and 4.18 requires the acknowledgement because of them too. */
export function buildExperimentalNotices(crds: readonly GatewayCrd[]): readonly string[] {
  const experimental = crds.filter(({ kind }) => kind === "experimental");
  return buildNamesNotice(
    sortNames(experimental.map(({ object }) => object.name)),
    (names) =>
      `The ingress operator doesn't manage ${names}. 4.18 requires the acknowledgement ${GATE} because of such CRDs too, and the ingress operator of some 4.19 releases reports Degraded while any exist.`,
  );
}
