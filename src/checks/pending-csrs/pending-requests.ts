import { compareText } from "../../model/json.ts";
import type { ObjectRef } from "../../model/resource.ts";
import { parseTimestamp } from "../../model/time.ts";
import type { CertificateRequest } from "./certificate-requests.ts";

/** A node, or a request that names none, that waits for a certificate. */
export type PendingRequest = { readonly object: ObjectRef; readonly signer: string };

/** A request that is approved by itself is so within seconds. */
const GRACE_PERIOD_MS = 60 * 60_000;

type DatedRequest = CertificateRequest & { readonly instant: number };

/** Who has waited for more than an hour and still does. What a node asked for to join is settled once it is ready. */
export function selectPendingRequests(
  requests: readonly CertificateRequest[],
  ready: ReadonlySet<string>,
  now: Date,
): readonly PendingRequest[] {
  const datedRequests = requests.flatMap((request) => {
    const instant = parseTimestamp(request.created);
    const hasJoined = !request.isFromNode && request.node !== undefined && ready.has(request.node);
    return instant === undefined || hasJoined ? [] : [{ ...request, instant }];
  });
  const groups = Map.groupBy(datedRequests, ({ signer, node, name }) =>
    [signer, node ?? "", node ? "" : name].join("\u0000"),
  );
  return [...groups.values()]
    .flatMap((group) => findPendingRequest(group, now.getTime()))
    .toSorted((a, b) => compareText(a.object.name, b.object.name));
}

/** Of all requests of a node to a signer: does the last word still stand out? */
function findPendingRequest(group: readonly DatedRequest[], now: number): readonly PendingRequest[] {
  const pending = group.filter(({ answer }) => answer === "none").toSorted((a, b) => a.instant - b.instant);
  const [oldest, newest] = [pending[0], pending.at(-1)];
  if (oldest === undefined || newest === undefined || now - oldest.instant <= GRACE_PERIOD_MS) return [];
  if (group.some(({ answer, instant }) => answer === "approved" && instant > oldest.instant)) return [];
  // A kubelet that still needs the certificate asks again every quarter of an hour, so one that doesn't has got it or is gone. A new
  // node waits for the first answer.
  if (newest.isFromNode && now - newest.instant > GRACE_PERIOD_MS) return [];
  return [{ object: buildRef(oldest), signer: oldest.signer }];
}

/** Requests come and go with names of chance, but the node stays. */
function buildRef({ node, name }: CertificateRequest): ObjectRef {
  return node === undefined
    ? { apiVersion: "certificates.k8s.io/v1", kind: "CertificateSigningRequest", name }
    : { apiVersion: "v1", kind: "Node", name: node };
}
