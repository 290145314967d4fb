import type { RiskText } from "../../model/check.ts";

export const pending: RiskText = {
  name: "KubeletCertificateRequestsPending",
  title: "Kubelets wait for their certificates to be approved",
  url: "https://kubernetes.io/docs/reference/access-authn-authz/certificate-signing-requests/",
  describe: (objects, { target }) =>
    `Requests for certificates of ${objects} have not been approved for more than an hour: without them a node drops out of the cluster or can't be reached for logs and metrics, and the update to ${target.text} can't finish on it.`,
  remediation:
    'Look at "oc get csr", approve the requests that you know (oc adm certificate approve), and find out why they are not approved by themselves.',
};
