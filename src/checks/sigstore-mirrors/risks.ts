import type { RiskText } from "../../model/check.ts";
import { buildAcknowledgement } from "../shared/acknowledgements.ts";
import { GATE } from "./gate.ts";
import { RELEASES } from "../shared/release-mirrors.ts";

export const releaseMirrorsNeedSignatures: RiskText = {
  name: "ReleaseMirrorsNeedSignatures",
  effect: "stuck",
  leadTime: "hours",
  title: "Mirrors of release images may lack their Sigstore signatures",
  url: "https://docs.redhat.com/en/documentation/openshift_container_platform/4.20/html/nodes/nodes-sigstore-using",
  knownAs: { published: ["SigstoreSignatureMirroring"] },
  describe: (objects, { target }) =>
    `Nodes pull release images (${RELEASES}) from the mirrors of ${objects}. From 4.21 on they refuse images whose Sigstore signatures the mirrors lack, and the update to ${target.text} would get stuck.`,
  remediation: `Copy the signatures to the mirrors together with the release images, then acknowledge that: set ${GATE} to "true" in ConfigMap openshift-config/admin-acks.`,
  example: {
    object: { apiVersion: "config.openshift.io/v1", kind: "ImageDigestMirrorSet", name: "<name>" },
  },
  fixKind: "weakening",
  fix: (finding, { platform }) => buildAcknowledgement(finding, platform, GATE),
};
