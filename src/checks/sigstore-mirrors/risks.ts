import type { RiskText } from "../../model/check.ts";
import { GATE } from "./gate.ts";
import { RELEASES } from "./mirrors.ts";

export const releaseMirrorsNeedSignatures: RiskText = {
  name: "ReleaseMirrorsNeedSignatures",
  title: "Nobody said that the mirrors of release images have their signatures",
  url: "https://docs.redhat.com/en/documentation/openshift_container_platform/4.20/html/nodes/nodes-sigstore-using",
  published: ["SigstoreSignatureMirroring"],
  describe: (objects, { target }) =>
    `Release images (${RELEASES}) come from the mirrors of ${objects}: from 4.21 on, nodes refuse those whose Sigstore signatures the mirrors lack, and the update to ${target.text} would get stuck.`,
  remediation: `Copy the signatures to the mirrors with the release images, and say so by setting ${GATE} to "true" in ConfigMap openshift-config/admin-acks.`,
};
