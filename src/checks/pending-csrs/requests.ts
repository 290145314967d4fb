import { conditionOf } from "../../model/conditions.ts";
import { type JsonObject, isObject, listAt, textAt } from "../../model/json.ts";

const SIGNERS = ["kubernetes.io/kube-apiserver-client-kubelet", "kubernetes.io/kubelet-serving"];

/** A kubelet's request for a certificate. */
export type CertificateRequest = {
  readonly name: string;
  readonly signer: string;
  /** Absent where neither the requester nor the request names one. */
  readonly node?: string;
  /** Did the kubelet ask as the node it is already? A new node asks with the rights to join alone. */
  readonly asNode: boolean;
  readonly created: string;
  readonly answer: "none" | "approved" | "refused";
};

export function keepRequest(object: JsonObject): CertificateRequest | undefined {
  const signer = textAt(object, "spec", "signerName") ?? "";
  if (!SIGNERS.includes(signer)) return undefined;
  const requester = nodeOf(textAt(object, "spec", "username") ?? "");
  const node = requester ?? nodeIn(decoded(textAt(object, "spec", "request") ?? ""));
  return {
    name: textAt(object, "metadata", "name") ?? "",
    signer,
    ...(node === undefined ? {} : { node }),
    asNode: requester !== undefined,
    created: textAt(object, "metadata", "creationTimestamp") ?? "",
    answer: answerOf(object),
  };
}

/** The name of a node whose kubelet reports, for which it needs its certificate. */
export function keepReadyNode(object: JsonObject): string | undefined {
  const isReady = textAt(conditionOf(object, "Ready"), "status") === "True";
  return isReady ? textAt(object, "metadata", "name") : undefined;
}

function answerOf(object: JsonObject): CertificateRequest["answer"] {
  const types = listAt(object, "status", "conditions")
    .filter(isObject)
    .map((condition) => condition["type"]);
  if (types.length === 0) return "none";
  return types.includes("Approved") && !types.includes("Failed") ? "approved" : "refused";
}

/** "demo-0" of the requester "system:node:demo-0". */
function nodeOf(username: string): string | undefined {
  return /^system:node:(.+)$/.exec(username)?.[1];
}

/**
 * The common name of a kubelet's request stands in it as a text (PrintableString or UTF8String in DER) after its length, which has to be
 * heeded: the byte that follows may look like a part of the name.
 */
export function nodeIn(der: string): string | undefined {
  const found = /[\u000c\u0013](?:\u0081([\u0080-\u00ff])|([\u0000-\u007f]))(?=system:node:)/.exec(der);
  const length = (found?.[1] ?? found?.[2])?.codePointAt(0);
  if (found === null || length === undefined) return undefined;
  const start = found.index + found[0].length;
  return nodeOf(der.slice(start, start + length));
}

/** spec.request is base64 of PEM, which is base64 of the request itself. */
function decoded(request: string): string {
  const pem = base64(request);
  const body = /-----BEGIN CERTIFICATE REQUEST-----([\s\S]*?)-----END/.exec(pem)?.[1];
  return body === undefined ? "" : base64(body.replaceAll(/\s/g, ""));
}

function base64(text: string): string {
  try {
    return atob(text);
  } catch {
    return "";
  }
}
