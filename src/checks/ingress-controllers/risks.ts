import type { Finding, RiskText } from "../../model/check.ts";
import { buildObjectCommand } from "../../model/commands.ts";

export const ingressControllerBlocksUpdate: RiskText = {
  name: "IngressControllerBlocksUpdate",
  effect: "refused",
  title: "The ingress operator blocks updates because of an ingress controller",
  url: "https://docs.redhat.com/en/documentation/openshift_container_platform/4.16/html/networking/configuring-ingress",
  describe: (objects, { target }, findings) =>
    `The ingress operator blocks the update to ${target.text} because of ${objects}${formatSharedReason(findings)}.`,
  remediation:
    'Correct what the condition Upgradeable in "oc -n openshift-ingress-operator describe ingresscontroller NAME" names, and update once it is True.',
  knownAs: { liftedAs: "ClusterOperatorUpgradeable-ingress" },
  see: ({ object }, { platform }) => [buildObjectCommand(platform, "describe", object)],
};

export const routesRejectedByTargetRouters: RiskText = {
  name: "RoutesRejectedByTargetRouters",
  effect: "refused",
  title: "The target's routers no longer serve some routes",
  url: "https://docs.redhat.com/en/documentation/openshift_container_platform/4.15/html/release_notes/ocp-4-15-release-notes",
  describe: (objects, { target }) =>
    `The routers of 4.16 and later, and so those of ${target.text}, reject ${objects}: clients can no longer reach their hosts.`,
  remediation:
    'Replace the SHA1-signed certificates that the condition UnservableInFutureVersions names ("oc -n NAMESPACE describe route NAME"), and update once the routes no longer have this condition.',
  knownAs: { liftedAs: "AdminAck-ack-4.15-route-config-not-supported-in-4.16" },
  see: ({ object }, { platform }) => [buildObjectCommand(platform, "describe", object)],
  example: {
    object: { apiVersion: "route.openshift.io/v1", kind: "Route", namespace: "<namespace>", name: "<name>" },
  },
  fixKind: "disruptive",
  fix: ({ object }, { platform }) => [buildObjectCommand(platform, "edit", object)],
};

const MAX_REASON_LENGTH = 300;

/** The operator's reason, if all objects have the same short one. A full stop inside it would read as the end of our sentence. */
function formatSharedReason(findings: readonly Finding[]): string {
  const messages = new Set(findings.map(({ message }) => message.replace(/^[^:]*:? ?/, "")));
  const [why = ""] = messages;
  const text = why.replace(/\.$/, "").replaceAll(/[.!?](?=\s)/g, ";");
  return messages.size === 1 && text !== "" && text.length <= MAX_REASON_LENGTH ? ` (${text})` : "";
}
