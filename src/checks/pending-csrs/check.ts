import { type Finding, type Judgement, defineCheck } from "../../model/check.ts";
import { each, valuesOf } from "../../model/read.ts";
import { instantOf } from "../../model/time.ts";
import { keepReadyNode, keepRequest } from "./requests.ts";
import { pending } from "./risks.ts";
import { type Waiting, waitingFor } from "./waiting.ts";

export default defineCheck({
  id: "pending-csrs",
  name: "PendingCsrs",
  title: "Kubelets get the certificates that they ask for",
  risks: [pending],
  applies: { kind: "updates", kinds: ["patch", "minor", "rollback"] },
  needsManifests: false,
  portable: true,
  reads: () => ({
    requests: each("certificates.k8s.io/v1/certificatesigningrequests", keepRequest),
    nodes: each("v1/nodes", keepReadyNode),
  }),
  evaluate({ requests, nodes }, { now }): Judgement {
    if (requests.kind === "absent")
      return { notApplicable: "The API server serves no certificates.k8s.io/v1 CertificateSigningRequest." };
    const undated = requests.values.filter(
      ({ created, answer }) => answer === "none" && instantOf(created) === undefined,
    );
    return {
      findings: waitingFor(requests.values, new Set(valuesOf(nodes)), now).map(findingOf),
      blind: undated.map(({ name }) => ({
        reason: "NotUnderstood",
        where: `CertificateSigningRequest ${name}`,
        message: "it doesn't say when it was made",
      })),
    };
  },
});

function findingOf({ object, signer }: Waiting): Finding {
  return {
    risk: pending.name,
    object,
    message: `Its request to the signer ${signer} waits for approval.`,
    detail: { signer },
  };
}
