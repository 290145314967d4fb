import { X509Certificate } from "node:crypto";
import { getCACertificates } from "node:tls";
import { listCertificates } from "../model/pem.ts";

/** The certificates of a cluster's bundle. What is none is left out, as Go's AppendCertsFromPEM does. */
export function parseCertificates(pem: string): readonly string[] {
  return splitCertificates(pem).filter(isCertificate);
}

export function splitCertificates(pem: string): readonly string[] {
  return listCertificates(pem).filter((block) => block !== undefined);
}

export function isCertificate(block: string): boolean {
  try {
    return new X509Certificate(block).raw.length > 0;
  } catch {
    return false;
  }
}

/** What Node brings along, NODE_EXTRA_CA_CERTS, and the machine's own. Each is here once, though most stand in two or three of these places. */
export function getSystemAuthorities(): ReadonlySet<string> {
  return new Set([...getCACertificates("default"), ...getCACertificates("system")]);
}
