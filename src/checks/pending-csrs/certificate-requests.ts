import { findCondition } from "../../model/conditions.ts";
import { type JsonObject, isObject, listAt, textAt } from "../../model/json.ts";

const SIGNERS = ["kubernetes.io/kube-apiserver-client-kubelet", "kubernetes.io/kubelet-serving"];

/** A kubelet's request for a certificate. */
export type CertificateRequest = {
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
export function keepReadyNode(object: JsonObject): string | undefined {
  const isReady = textAt(findCondition(object, "Ready"), "status") === "True";
  return isReady ? textAt(object, "metadata", "name") : undefined;
}

function parseAnswer(object: JsonObject): CertificateRequest["answer"] {
  const types = listAt(object, "status", "conditions")
    .filter(isObject)
    .map((condition) => condition["type"]);
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
