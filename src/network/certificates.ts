import { X509Certificate } from "node:crypto";

/** The certificates of a cluster's bundle. What is none is left out, as Go's AppendCertsFromPEM does. */
export function parseCertificates(pem: string): readonly string[] {
  return splitCertificates(pem).filter(isCertificate);
}

const BEGIN = "-----BEGIN CERTIFICATE-----";
const END = "-----END CERTIFICATE-----";

/** In one pass, since a bundle may have any number of beginnings without an end. */
export function splitCertificates(pem: string): readonly string[] {
  return pem.split(BEGIN).flatMap((part, index) => {
    const end = index === 0 ? -1 : part.indexOf(END);
    return end < 0 ? [] : [`${BEGIN}${part.slice(0, end)}${END}`];
  });
}

export function isCertificate(block: string): boolean {
  try {
    return new X509Certificate(block).raw.length > 0;
  } catch {
    return false;
  }
}
