import type { RiskText } from "../../model/check.ts";

export const kubeletCertificateRequestsPending: RiskText = {
  name: "KubeletCertificateRequestsPending",
  title: "Kubelets wait for their certificates to be approved",
  url: "https://kubernetes.io/docs/reference/access-authn-authz/certificate-signing-requests/",
  describe: (objects, { target }) =>
    `Requests for kubelets' certificates have waited for approval for more than an hour (${objects}): without them a node drops out of the cluster or can't be reached for logs and metrics, and the update to ${target.text} may not finish on it.`,
  remediation:
    'Look at "oc get csr", approve the requests that you know (oc adm certificate approve), and find out why they are not approved by themselves.',
};
