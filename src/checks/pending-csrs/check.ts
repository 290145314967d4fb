import { type Finding, type Judgement, defineCheck } from "../../model/check.ts";
import { each, valuesOf } from "../../model/read.ts";
import { parseTimestamp } from "../../model/time.ts";
import { keepReadyNode, keepCertificateRequest } from "./certificate-requests.ts";
import { kubeletCertificateRequestsPending } from "./risks.ts";
import { type PendingRequest, selectPendingRequests } from "./pending-requests.ts";

export default defineCheck({
  id: "pending-csrs",
  title: "Kubelets get the certificates that they request",
  risks: [kubeletCertificateRequestsPending],
  applies: { kind: "updates", kinds: ["patch", "minor", "rollback"] },
  platforms: ["openshift", "kubernetes"],
  seenAfterUpdate: "Nodes request certificates while they are updated.",
  reads: () => ({
    requests: each("certificates.k8s.io/v1/certificatesigningrequests", keepCertificateRequest),
    nodes: each("v1/nodes", keepReadyNode),
  }),
  evaluate({ requests, nodes }, { now }): Judgement {
    if (requests.kind === "absent")
      return { notApplicable: "The API server serves no certificates.k8s.io/v1 CertificateSigningRequest." };
    const undatedRequests = requests.values.filter(
      ({ created, answer }) => answer === "none" && parseTimestamp(created) === undefined,
    );
    return {
      findings: selectPendingRequests(requests.values, new Set(valuesOf(nodes)), now).map(buildFinding),
      unknowns: undatedRequests.map(({ name }) => ({
        reason: "NotUnderstood",
        where: `CertificateSigningRequest ${name}`,
        message: "it has no valid creationTimestamp",
      })),
    };
  },
});

function buildFinding({ object, signer, request }: PendingRequest): Finding {
  return {
    risk: kubeletCertificateRequestsPending.name,
    object,
    message: `Its request to the signer ${signer} is waiting for approval.`,
    detail: { signer, request },
  };
}
