import { getCACertificates } from "node:tls";

/** What Node brings along, NODE_EXTRA_CA_CERTS, and the machine's own. */
export function getSystemAuthorities(): readonly string[] {
  return [...getCACertificates("default"), ...getCACertificates("system")];
}
