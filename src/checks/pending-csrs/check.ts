import { getCommandName, quoteArgument } from "../../model/commands.ts";
import { nameOnly } from "../shared/only-detail.ts";
import { readRisks } from "../shared/risks.ts";
import { type Finding, type Judgement, defineCheck } from "../../model/check.ts";
import { each, valuesOf } from "../../model/read.ts";
import { isRecent, parseTimestamp } from "../../model/time.ts";
import { type JsonObject, compareText, textAt, objectsAt } from "../../model/json.ts";
import type { ObjectRef } from "../../model/resource.ts";
import { findCondition } from "../../model/object.ts";

const risks = readRisks("pending-csrs", {
  KubeletCertificateRequestsPending: {
    remediation: { request: nameOnly(({ detail }) => detail?.["request"], "NAME") },
    see: ({ detail }, { platform }) => [
      `${getCommandName(platform)} describe csr/${quoteArgument(detail?.["request"] ?? "")}`,
    ],
    fixKind: "weakening",
    fix: ({ detail }, { platform }) => [
      `${getCommandName(platform)}${platform === "openshift" ? " adm" : ""} certificate approve ${quoteArgument(detail?.["request"] ?? "")}`,
    ],
  },
});

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

const SIGNERS = ["kubernetes.io/kube-apiserver-client-kubelet", "kubernetes.io/kubelet-serving"];

/** A kubelet's request for a certificate. */
type CertificateRequest = {
  readonly name: string;
  readonly signer: string;
  /** Absent if neither the requester nor the request names one. */
  readonly node?: string;
  /** Made by the node itself; a new node makes its first request with bootstrap credentials. */
  readonly isFromNode: boolean;
  readonly created: string;
  readonly answer: "none" | "approved" | "refused";
};

export function keepCertificateRequest(object: JsonObject): CertificateRequest | undefined {
  const signer = textAt(object, "spec", "signerName") ?? "";
  if (!SIGNERS.includes(signer)) return undefined;
  const requester = parseNodeName(textAt(object, "spec", "username") ?? "");
  const node = requester ?? parseNodeNameInDer(decodeRequest(textAt(object, "spec", "request") ?? ""));
  return {
    name: textAt(object, "metadata", "name") ?? "",
    signer,
    node,
    isFromNode: requester !== undefined,
    created: textAt(object, "metadata", "creationTimestamp") ?? "",
    answer: parseAnswer(object),
  };
}

/** The name of a ready node: without its certificate, its kubelet could not report. */
function keepReadyNode(object: JsonObject): string | undefined {
  const isReady = textAt(findCondition(object, "Ready"), "status") === "True";
  return isReady ? textAt(object, "metadata", "name") : undefined;
}

function parseAnswer(object: JsonObject): CertificateRequest["answer"] {
  const types = objectsAt(object, "status", "conditions").map((condition) => condition["type"]);
  if (types.length === 0) return "none";
  return types.includes("Approved") && !types.includes("Failed") ? "approved" : "refused";
}

/** "demo-0" of the requester "system:node:demo-0". */
function parseNodeName(username: string): string | undefined {
  return /^system:node:(.+)$/.exec(username)?.[1];
}

/**
 * In DER, the common name of a kubelet's request is a string (PrintableString or UTF8String) after its length. The length matters,
 * because the byte after the string may look like a part of the name.
 */
export function parseNodeNameInDer(der: string): string | undefined {
  const match = /[\u000c\u0013](?:\u0081([\u0080-\u00ff])|([\u0000-\u007f]))(?=system:node:)/.exec(der);
  const length = (match?.[1] ?? match?.[2])?.codePointAt(0);
  if (match === null || length === undefined) return undefined;
  const start = match.index + match[0].length;
  return parseNodeName(der.slice(start, start + length));
}

/** spec.request is base64 of PEM, which is base64 of the request itself. */
function decodeRequest(request: string): string {
  const pem = decodeBase64(request);
  const body = /-----BEGIN CERTIFICATE REQUEST-----([\s\S]*?)-----END/.exec(pem)?.[1];
  return body === undefined ? "" : decodeBase64(body.replaceAll(/\s/g, ""));
}

function decodeBase64(text: string): string {
  try {
    return atob(text);
  } catch {
    return "";
  }
}
