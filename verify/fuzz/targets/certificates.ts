import {
  holdsCertificate,
  decodePem,
  createDerReader,
  isAtEnd,
  takeAny,
} from "../../../src/schema/crd/definition/certificates.ts";
import { keepCertificateRequest } from "../../../src/checks/pending-csrs/check.ts";
import type { FuzzTarget } from "../target.ts";

/** Made with openssl: a certificate of an elliptic curve, and a kubelet's request for one. */
const CERTIFICATE = [
  "MIIBjjCCATOgAwIBAgIUbmwNG5ykmWQb9xY80SmrdcLZeewwCgYIKoZIzj0EAwIwDzENMAsGA1UEAwwEZGVtbzAeFw0yNjExMjIx",
  "MjI2MDdaFw0zNjExMTkxMjI2MDdaMA8xDTALBgNVBAMMBGRlbW8wWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAAS1F1nSExRAzcuU",
  "H0p/jLV44TBD6m+xubwUkSKigH7wFDJYlTgGju4iqh4WcbA9w52u3z3r1kthctSTFSs5y6g8o20wazAdBgNVHQ4EFgQU+JiV0mxZ",
  "Jr6kzWhIHu4qmxjDYiwwHwYDVR0jBBgwFoAU+JiV0mxZJr6kzWhIHu4qmxjDYiwwDwYDVR0TAQH/BAUwAwEB/zAYBgNVHREEETAP",
  "gg1hLmV4YW1wbGUuY29tMAoGCCqGSM49BAMCA0kAMEYCIQConD3TCGD7rv/bKY6ArC6/LXkLdL3Fwd8Xnt653gQA4gIhAOJ3+BYc",
  "Fzn55xlLVBj341wwYT1p0wcxaGzzcMQ/GvDJ",
].join("");
const REQUEST = [
  "MIHyMIGYAgEAMDYxFTATBgNVBAoMDHN5c3RlbTpub2RlczEdMBsGA1UEAwwUc3lzdGVtOm5vZGU6d29ya2VyLWEwWTATBgcqhkjO",
  "PQIBBggqhkjOPQMBBwNCAAT5DxkmWp7k904sscIubfon1yaoMHjxZAJQ3QiuY3D816zEgTgjfMl6TN7QeyMimbhPSJ2xb6UPKsXN",
  "1ZUm8T9roAAwCgYIKoZIzj0EAwIDSQAwRgIhAIitUqDCVmLFshYDNFk/UHcyaxMb2jPQ0r0pMS2lyxDuAiEAxQ59GNU/0jQNrRWB",
  "Lxl5ZildIneDYqwg4l08NlXv6+8=",
].join("");

const SIGNER = "kubernetes.io/kubelet-serving";

/** Both as it stands in a CRD, and as DER without its envelope. */
export const target: FuzzTarget = {
  seeds: [
    `-----BEGIN CERTIFICATE-----\n${CERTIFICATE}\n-----END CERTIFICATE-----\n`,
    `-----BEGIN CERTIFICATE REQUEST-----\n${REQUEST}\n-----END CERTIFICATE REQUEST-----\n`,
    Buffer.from(CERTIFICATE, "base64"),
    Buffer.from(REQUEST, "base64"),
  ],
  run: (input) => {
    const text = input.toString("latin1");
    holdsCertificate(input.toString("base64"));
    holdsCertificate(text);
    for (const der of decodePem(text, "CERTIFICATE")) visitElements(der, 0);
    const pem = `-----BEGIN CERTIFICATE-----\n${input.toString("base64")}\n-----END CERTIFICATE-----\n`;
    holdsCertificate(Buffer.from(pem).toString("base64"));
    for (const request of [text, pem.replaceAll("CERTIFICATE", "CERTIFICATE REQUEST")]) {
      const spec = {
        signerName: SIGNER,
        username: "system:serviceaccount:a:b",
        request: Buffer.from(request).toString("base64"),
      };
      keepCertificateRequest({ metadata: { name: "a" }, spec, status: {} });
    }
    visitElements(input, 0);
  },
};

function visitElements(der: Buffer, depth: number): void {
  const reader = createDerReader(der);
  while (!isAtEnd(reader) && depth < 20) {
    const element = takeAny(reader);
    if (element === undefined) return;
    visitElements(element.content, depth + 1);
  }
}
