import type { RiskText } from "../../model/check.ts";
import { buildAcknowledgement } from "../shared/acknowledgements.ts";
import { buildObjectCommand, buildStorageMigration } from "../../model/commands.ts";
import type { ObjectRef } from "../../model/resource.ts";
import { GATE } from "./crds.ts";

/** As `explain` shows it. */
const CRD: ObjectRef = { apiVersion: "apiextensions.k8s.io/v1", kind: "CustomResourceDefinition", name: "<name>" };

const RELEASE_NOTES =
  "https://docs.redhat.com/en/documentation/openshift_container_platform/4.19/html/release_notes/ocp-4-19-release-notes";

export const gatewayApiCrdsTakenOver: RiskText = {
  name: "GatewayAPICRDsTakenOver",
  effect: "refused",
  title: "The ingress operator takes over Gateway API CRDs that others installed",
  url: RELEASE_NOTES,
  describe: (objects, { target }) =>
    `The ingress operator of 4.19 and later, and so of ${target.text}, replaces ${objects} with its own standard CRDs. Nothing else may change or delete them afterwards: whatever needs another version or the experimental channel, such as a service mesh, can break.`,
  remediation: `Check that whatever uses the Gateway API works with the target's CRDs and doesn't install its own, or remove it; then run "oc -n openshift-config patch configmap admin-acks --type=merge -p '{"data":{"${GATE}":"true"}}'". "oc -n openshift-config get configmap admin-acks -o yaml" then shows the acknowledgement.`,
  example: { object: CRD },
  fixKind: "weakening",
  fix: (finding, { platform }) => buildAcknowledgement(finding, platform, GATE),
  knownAs: { liftedAs: `AdminAck-${GATE}` },
};

export const gatewayApiCrdsDegradeIngress: RiskText = {
  name: "GatewayAPICRDsDegradeIngress",
  effect: "stuck",
  title: "Gateway API CRDs that the ingress operator doesn't manage make it Degraded",
  url: RELEASE_NOTES,
  describe: (objects, { target }) =>
    `The ingress operator of ${target.text} doesn't manage ${objects}, and reports Degraded while such CRDs of gateway.networking.k8s.io exist, which can stall the update.`,
  remediation:
    'Before updating, turn off what installs these CRDs and delete them with "oc delete crd NAME", because later only the ingress operator may; their objects are deleted too. "oc get crd" then no longer lists them.',
  example: { object: CRD },
  fixKind: "disruptive",
  fix: ({ object }, { platform }) => [buildObjectCommand(platform, "delete", object)],
};

export const gatewayApiStoredVersionsLost: RiskText = {
  name: "GatewayAPIStoredVersionsLost",
  effect: "stuck",
  title: "Gateway API objects may be stored in versions that the ingress operator's CRDs lack",
  url: "https://github.com/kubernetes-sigs/gateway-api/releases/tag/v1.2.0",
  describe: (objects, { target }) =>
    `The ingress operator of ${target.text} can't replace ${objects} with its own CRDs: the API server rejects them, because they lack a version that is listed as stored.`,
  remediation:
    'Rewrite every object of these CRDs unchanged ("oc get NAME -A -o json | oc replace -f -"), so that it is stored in a later version. Once none failed, remove the old version with "oc edit crd NAME --subresource=status": objects still stored in it can\'t be read after the update. "oc get crd NAME -o jsonpath=\'{.status.storedVersions}\'" then no longer shows it.',
  example: { object: CRD },
  fixKind: "weakening",
  fix: ({ object, detail }, { platform }) =>
    buildStorageMigration(platform, object, (detail?.["kept"] ?? "<version>").split(",")),
};
