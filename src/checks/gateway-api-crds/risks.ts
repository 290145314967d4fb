import type { RiskText } from "../../model/check.ts";
import { GATE } from "./acknowledgement.ts";

const RELEASE_NOTES =
  "https://docs.redhat.com/en/documentation/openshift_container_platform/4.19/html/release_notes/ocp-4-19-release-notes";

export const gatewayApiCrdsTakenOver: RiskText = {
  name: "GatewayAPICRDsTakenOver",
  title: "The ingress operator takes over Gateway API CRDs that others installed",
  url: RELEASE_NOTES,
  describe: (objects, { target }) =>
    `From 4.19 on, so in ${target.text}, the ingress operator puts its own standard CRDs in place of ${objects}, and nobody else may change or delete them from then on: what needs another version or the experimental channel, such as a service mesh, can break.`,
  remediation: `Make sure that whatever uses the Gateway API here works with the target's CRDs and doesn't install its own, or remove it; then set ${GATE} to "true" in ConfigMap openshift-config/admin-acks.`,
  liftedAs: `AdminAck-${GATE}`,
};

export const gatewayApiCrdsDegradeIngress: RiskText = {
  name: "GatewayAPICRDsDegradeIngress",
  title: "Gateway API CRDs that the ingress operator doesn't manage make it Degraded",
  url: RELEASE_NOTES,
  describe: (objects, { target }) =>
    `The ingress operator of ${target.text} doesn't manage ${objects}, and is Degraded as long as such CRDs of gateway.networking.k8s.io are there, which can hold up the update.`,
  remediation:
    "Before updating, delete these CRDs, with which their objects go, since only the ingress operator may do so later, and turn off what installs them.",
};

export const gatewayApiStoredVersionsLost: RiskText = {
  name: "GatewayAPIStoredVersionsLost",
  title: "Gateway API objects may be stored in versions that the ingress operator's CRDs lack",
  url: "https://github.com/kubernetes-sigs/gateway-api/releases/tag/v1.2.0",
  describe: (objects, { target }) =>
    `The ingress operator of ${target.text} can't put its own CRDs in place of ${objects}: the API server refuses them because a version is listed as stored that they don't have.`,
  remediation:
    "Write every object of these CRDs once again unchanged, so that it is stored in a later version, and take the old version out of status.storedVersions.",
};
