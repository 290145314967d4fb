import type { RiskText } from "../../model/check.ts";
import { getCommandName, quoteArgument } from "../../model/commands.ts";

export const kubeletCertificateRequestsPending: RiskText = {
  name: "KubeletCertificateRequestsPending",
  effect: "stuck",
  title: "Kubelets wait for approval of their certificates",
  url: "https://kubernetes.io/docs/reference/access-authn-authz/certificate-signing-requests/",
  describe: (objects, { target }) =>
    `Certificate requests of kubelets have waited for approval for more than an hour: ${objects}. Without its certificate a node drops out of the cluster or serves no logs and metrics. The update to ${target.text} may not finish on it.`,
  remediation:
    'List the requests with "kubectl get csr", and approve those that you recognize with "kubectl certificate approve NAME". Find out why they are not approved automatically.',
  see: ({ detail }, { platform }) => [
    `${getCommandName(platform)} describe csr/${quoteArgument(detail?.["request"] ?? "")}`,
  ],
  example: {
    object: { apiVersion: "v1", kind: "Node", name: "<node>" },
    detail: { signer: "kubernetes.io/kubelet-serving", request: "<request>" },
  },
  fixKind: "weakening",
  fix: ({ detail }, { platform }) => [
    `${getCommandName(platform)}${platform === "openshift" ? " adm" : ""} certificate approve ${quoteArgument(detail?.["request"] ?? "")}`,
  ],
};
