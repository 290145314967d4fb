import type { Finding, RiskText } from "../../model/check.ts";

export const ingressControllerBlocksUpdate: RiskText = {
  name: "IngressControllerBlocksUpdate",
  title: "The ingress operator holds back updates because of an ingress controller",
  url: "https://docs.redhat.com/en/documentation/openshift_container_platform/4.16/html/networking/configuring-ingress",
  describe: (objects, { target }, findings) =>
    `The ingress operator blocks the update to ${target.text} because of ${objects}${formatSharedReason(findings)}.`,
  remediation: "Correct what the condition Upgradeable names there, and the block goes away by itself.",
  liftedAs: "ClusterOperatorUpgradeable-ingress",
};

export const routesRejectedByTargetRouters: RiskText = {
  name: "RoutesRejectedByTargetRouters",
  title: "Routes that the target's routers no longer serve",
  url: "https://docs.redhat.com/en/documentation/openshift_container_platform/4.15/html/release_notes/ocp-4-15-release-notes",
  describe: (objects, { target }) =>
    `The routers of 4.16 and later, so those of ${target.text}, reject ${objects}, and their hosts are then not served any more.`,
  remediation:
    "Before updating, replace the SHA1-signed certificates that the routes' condition UnservableInFutureVersions names.",
  liftedAs: "AdminAck-ack-4.15-route-config-not-supported-in-4.16",
};

const MAX_REASON_LENGTH = 300;

/** What the operator says, if all objects have the same to say and it is short; a sentence's end within it would read as ours. */
function formatSharedReason(findings: readonly Finding[]): string {
  const messages = new Set(findings.map(({ message }) => message.replace(/^[^:]*:? ?/, "")));
  const [why = ""] = messages;
  const text = why.replace(/\.$/, "").replaceAll(/[.!?](?=\s)/g, ";");
  return messages.size === 1 && text !== "" && text.length <= MAX_REASON_LENGTH ? ` (${text})` : "";
}
