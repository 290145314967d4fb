const BEGIN = "-----BEGIN CERTIFICATE-----";
const END = "-----END CERTIFICATE-----";

/** The certificates of a text in PEM; undefined for one without an end. In one pass, since any number of them may lack it. */
export function listCertificates(pem: string): readonly (string | undefined)[] {
  const parts = pem.split(BEGIN).slice(1);
  return parts.map((part) => {
    const end = part.indexOf(END);
    return end < 0 ? undefined : `${BEGIN}${part.slice(0, end)}${END}`;
  });
}
