import { type Finding, type Judgement, defineCheck } from "../../model/check.ts";
import { each, valuesOf } from "../../model/read.ts";
import { isRecent, parseTimestamp } from "../../model/time.ts";
import { keepReadyNode, keepCertificateRequest, type CertificateRequest } from "./certificate-requests.ts";
import { risks } from "./risks.ts";
import { compareText } from "../../model/json.ts";
import type { ObjectRef } from "../../model/resource.ts";

export default defineCheck({
  id: "pending-csrs",
  title: "Kubelets get the certificates that they request",
  risks: Object.values(risks),
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
    risk: risks.KubeletCertificateRequestsPending.name,
    object,
    message: `Its request to the signer ${signer} is waiting for approval.`,
    detail: { signer, request },
  };
}

/** A node that waits for a certificate, or a request that names no node. */
type PendingRequest = {
  readonly object: ObjectRef;
  readonly signer: string;
  /** The newest request, which an approval answers. */
  readonly request: string;
};

/** Automatic approval takes seconds. */
const GRACE_PERIOD_MS = 60 * 60_000;

type DatedRequest = CertificateRequest & { readonly instant: number };

/** Selects the nodes that have waited for more than an hour and still do. A request to join is settled once its node is ready. */
export function selectPendingRequests(
  requests: readonly CertificateRequest[],
  readyNodes: ReadonlySet<string>,
  now: Date,
): readonly PendingRequest[] {
  const datedRequests = requests.flatMap((request) => {
    const instant = parseTimestamp(request.created);
    const hasJoined = !request.isFromNode && request.node !== undefined && readyNodes.has(request.node);
    return instant === undefined || hasJoined ? [] : [{ ...request, instant }];
  });
  const groups = Map.groupBy(datedRequests, ({ signer, node, name }) =>
    [signer, node ?? "", node ? "" : name].join("\u0000"),
  );
  return [...groups.values()]
    .flatMap((group) => findPendingRequest(group, now.getTime()))
    .toSorted((a, b) => compareText(a.object.name, b.object.name));
}

/** Finds the request that still waits among all requests of one node to one signer. */
function findPendingRequest(group: readonly DatedRequest[], now: number): readonly PendingRequest[] {
  const pending = group.filter(({ answer }) => answer === "none").toSorted((a, b) => a.instant - b.instant);
  const oldest = pending[0];
  const newest = pending.at(-1);
  if (oldest === undefined || newest === undefined || isRecent(now - oldest.instant, GRACE_PERIOD_MS + 1)) return [];
  if (group.some(({ answer, instant }) => answer === "approved" && instant > oldest.instant)) return [];
  // A kubelet that still needs its certificate makes a new request every quarter of an hour; one that doesn't has it, or is switched
  // off. A new node waits for the answer to its first request.
  if (newest.isFromNode && now - newest.instant > GRACE_PERIOD_MS) return [];
  return [{ object: buildRef(oldest), signer: oldest.signer, request: newest.name }];
}

/** Requests have random names and are soon replaced, so the finding names the node if it can. */
function buildRef({ node, name }: CertificateRequest): ObjectRef {
  return node === undefined
    ? { apiVersion: "certificates.k8s.io/v1", kind: "CertificateSigningRequest", name }
    : { apiVersion: "v1", kind: "Node", name: node };
}
