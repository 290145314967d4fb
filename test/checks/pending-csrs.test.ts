import assert from "node:assert/strict";
import { test } from "node:test";
import {
  keepCertificateRequest,
  parseNodeNameInDer,
  selectPendingRequests,
} from "../../src/checks/pending-csrs/check.ts";

const NOW = new Date("2026-03-01T12:00:00Z");
const SERVING = "kubernetes.io/kubelet-serving";

/** Created with "openssl req -new -newkey ec" for /O=system:nodes/CN=system:node:demo-7.example.com. */
const REQUEST = `
-----BEGIN CERTIFICATE REQUEST-----
MIH8MIGiAgEAMEAxFTATBgNVBAoMDHN5c3RlbTpub2RlczEnMCUGA1UEAwwec3lz
dGVtOm5vZGU6ZGVtby03LmV4YW1wbGUuY29tMFkwEwYHKoZIzj0CAQYIKoZIzj0D
AQcDQgAEECoZgMkgMIPF4t3hhq9yAwU9zOimBCxqdfK3m3cp0KWxN19xsNC61YWq
sXYiRiJl4HMOjPLNpfpZPUe1rNyAZaAAMAoGCCqGSM49BAMCA0kAMEYCIQDw7/qu
/Tnc7XiHH6pdErfXW/38qsY85yXRKeaHR09WpAIhAO42ROTMDMqbLfPtyoZopiWY
MQRGVczvwJAUMof6H8E9
-----END CERTIFICATE REQUEST-----
`;

const joining = (request: string) =>
  keepCertificateRequest({
    metadata: { name: "csr-a", creationTimestamp: "2026-03-01T09:00:00Z" },
    spec: { signerName: "kubernetes.io/kube-apiserver-client-kubelet", username: "system:bootstrap:demo", request },
  });

test("reads a new node's name from its request, regardless of the next byte", () => {
  assert.deepEqual(joining(btoa(REQUEST)), {
    name: "csr-a",
    signer: "kubernetes.io/kube-apiserver-client-kubelet",
    node: "demo-7.example.com",
    isFromNode: false,
    created: "2026-03-01T09:00:00Z",
    answer: "none",
  });
  assert.equal(parseNodeNameInDer("\u0013\u000dsystem:node:a0Y"), "a");
  assert.equal(parseNodeNameInDer(`\u000c\u0081\u0090system:node:${"b".repeat(132)}0Y`), "b".repeat(132));
});

test("names the request if it contains no node name", () => {
  for (const request of ["", "no base64!", btoa("no PEM"), btoa(REQUEST.replaceAll(/[A-Z]/g, "A"))])
    assert.equal(joining(request)?.node, undefined, request);
});

test("reports nodes after an hour, while their kubelets keep making requests", () => {
  const waits = (...created: readonly string[]) => {
    const requests = created.flatMap((time, i) => {
      const metadata = { name: `csr-${i}`, creationTimestamp: `2026-03-01T${time}Z` };
      return keepCertificateRequest({ metadata, spec: { signerName: SERVING, username: "system:node:demo-0" } }) ?? [];
    });
    return selectPendingRequests(requests, new Set(["demo-0"]), NOW).length === 1;
  };
  assert.equal(waits("11:00:00"), false);
  assert.equal(waits("10:59:59.999", "11:00:00"), true);
  assert.equal(waits("10:59:59"), false, "has not asked again");
  assert.equal(waits("10:59:59", "11:30:00"), true);
  assert.equal(waits("08:00:00", "10:59:59"), false);
  assert.equal(waits("08:00:00", "11:00:00"), true);
});

test("takes the node from the requester only if all of its name is that of a node", () => {
  const keep = (username: string, signerName = SERVING) => keepCertificateRequest({ spec: { signerName, username } });
  assert.deepEqual([keep("system:node:a")?.node, keep("system:node:a")?.isFromNode], ["a", true]);
  for (const username of ["my:system:node:a", "system:node:", "system:nodes:a", ""])
    assert.deepEqual([keep(username)?.node, keep(username)?.isFromNode], [undefined, false], username);
  assert.equal(keep("system:node:a", "example.com/signer"), undefined);
});

test("an approval answers a request unless it failed, and any other answer refuses it", () => {
  const answer = (...types: readonly string[]) => {
    const status = { conditions: types.map((type) => ({ type })) };
    return keepCertificateRequest({ spec: { signerName: SERVING }, status })?.answer;
  };
  assert.equal(answer(), "none");
  assert.equal(answer("Approved"), "approved");
  assert.equal(answer("Denied"), "refused");
  assert.equal(answer("Failed"), "refused");
  assert.equal(answer("Approved", "Failed"), "refused");
});

test("a node that waits is named once, an answered or joined one not, and requests without a node each", () => {
  const request = (name: string, time: string, more: object = {}) => ({
    name,
    signer: SERVING,
    isFromNode: false,
    created: `2026-03-01T${time}Z`,
    answer: "none" as const,
    ...more,
  });
  const select = (ready: readonly string[], ...requests: readonly ReturnType<typeof request>[]) =>
    selectPendingRequests(requests, new Set(ready), NOW).map(
      (one) => `${one.object.kind} ${one.object.name} ${one.request}`,
    );
  const node = { node: "a" };
  assert.deepEqual(select([], request("r2", "10:00:00", node), request("r1", "09:00:00", node)), ["Node a r2"]);
  assert.deepEqual(select(["a"], request("r1", "09:00:00", node)), []);
  assert.deepEqual(select(["a"], request("r1", "09:00:00")), ["CertificateSigningRequest r1 r1"]);
  assert.deepEqual(select([], request("r2", "09:00:00"), request("r1", "09:00:00")).length, 2);
  assert.deepEqual(select([], request("r1", "soon", node)), []);
  const approved = (time: string) => request("r3", time, { ...node, answer: "approved" });
  assert.deepEqual(select([], request("r1", "09:00:00", node), approved("09:00:01")), []);
  assert.deepEqual(select([], request("r1", "09:00:00", node), approved("09:00:00")), ["Node a r1"]);
  assert.deepEqual(select([], request("r1", "09:00:00", node), { ...approved("09:00:01"), signer: "other" }), [
    "Node a r1",
  ]);
});
