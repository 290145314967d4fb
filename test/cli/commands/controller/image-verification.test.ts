import assert from "node:assert/strict";
import { describe, test, type TestContext } from "node:test";
import { createImageVerification } from "../../../../src/cli/commands/controller/controller.ts";
import type { JsonObject } from "../../../../src/model/json.ts";
import type { ImageVerification } from "../../../../src/model/release.ts";
import { buildFailure, type FakeResponse, startFakeCluster } from "../../../support/cli/fake-cluster.ts";
import { createTestIo } from "../../../support/cli/test-io.ts";
import { type CertificateAuthority, createAuthority, noOpenssl } from "../../../../verify/api-server/certificates.ts";
import { createFolder, type MockServer, serve } from "../../../support/cluster/mock-server.ts";
import { buildKeyData, buildSignatureData } from "../../../../verify/signatures/release-trust.ts";
import { createTestKey } from "../../../../verify/signatures/openpgp.ts";

const DIGEST = `sha256:${"a".repeat(64)}`;
const OTHER = `sha256:${"b".repeat(64)}`;
const KEY = createTestKey("Demo <demo@example.com>");
const STRANGER = createTestKey("Other <other@example.com>");
const CONFIG_MAPS = "/api/v1/namespaces/openshift-config-managed/configmaps";
const TRUST = `${CONFIG_MAPS}/release-verification`;
const FORBIDDEN: FakeResponse = { code: 403, body: buildFailure(403, "Forbidden", "configmaps is forbidden") };

function buildConfigMap(name: string, content: JsonObject, namespace = "openshift-config-managed"): FakeResponse {
  const metadata = { namespace, name };
  return { code: 200, body: { apiVersion: "v1", kind: "ConfigMap", metadata, ...content } };
}

function buildList(...signatures: readonly JsonObject[]): FakeResponse {
  const items = signatures.map((binaryData, i) => buildConfigMap(`any-name-${i}`, { binaryData }).body);
  return { code: 200, body: { apiVersion: "v1", kind: "ConfigMapList", metadata: { resourceVersion: "1" }, items } };
}

const KEYS = buildConfigMap("release-verification", { data: buildKeyData(KEY) });

async function verify(
  t: TestContext,
  answers: Readonly<Record<string, FakeResponse>>,
  spec: JsonObject = {},
): Promise<ImageVerification> {
  const kubeconfig = await startFakeCluster(t, (path) => answers[path]);
  const verifySignature = createImageVerification({ kubeconfig, context: undefined }, createTestIo([]));
  return verifySignature(DIGEST, { spec }, AbortSignal.timeout(30_000));
}

describe("the controller verifies an image by the cluster's keys", () => {
  test("with a signature in a ConfigMap of any name that has the label", async (t) => {
    const signatures = [buildSignatureData(KEY, OTHER), buildSignatureData(KEY, DIGEST)];
    const { status, message } = await verify(t, { [TRUST]: KEYS, [CONFIG_MAPS]: buildList(...signatures) });
    assert.equal(status, "Verified");
    assert.match(message, /^verified by Demo <demo@example\.com>, [0-9A-F]{40}$/);
  });

  const [signed] = Object.values(buildSignatureData(KEY, OTHER));
  const misplaced = { [`sha256-${"a".repeat(64)}-1`]: signed ?? "" };
  const bytes = Buffer.from(Object.values(buildSignatureData(KEY, DIGEST))[0] ?? "", "base64");
  bytes[bytes.length - 9] = (bytes.at(-9) ?? 0) ^ 1;
  for (const [what, answers, status, message] of [
    [
      "no signature",
      { [TRUST]: KEYS, [CONFIG_MAPS]: buildList() },
      "Unknown",
      /^could not be verified: no signature of it was found in the ConfigMaps of openshift-config-managed$/,
    ],
    [
      "a signature of another image alone",
      { [TRUST]: KEYS, [CONFIG_MAPS]: buildList(buildSignatureData(KEY, OTHER)) },
      "Unknown",
      /no signature of it was found/,
    ],
    [
      "a signature of another image under its own digest",
      { [TRUST]: KEYS, [CONFIG_MAPS]: buildList(misplaced) },
      "Unknown",
      /does not count: it is for another image$/,
    ],
    [
      "a changed signature",
      { [TRUST]: KEYS, [CONFIG_MAPS]: buildList({ [`sha256-${"a".repeat(64)}-1`]: bytes.toString("base64") }) },
      "Unknown",
      /does not count: its signature does not fit its content$/,
    ],
    [
      "a signature by another key",
      { [TRUST]: KEYS, [CONFIG_MAPS]: buildList(buildSignatureData(STRANGER, DIGEST)) },
      "Untrusted",
      /^not signed by a key that this cluster trusts \(it has 1 signature by others\)$/,
    ],
    [
      "signatures that may not be listed",
      { [TRUST]: KEYS, [CONFIG_MAPS]: FORBIDDEN },
      "Unknown",
      /the ConfigMaps of openshift-config-managed \(.*forbidden.*\)$/,
    ],
    [
      "keys that may not be read",
      { [TRUST]: FORBIDDEN },
      "Unknown",
      /release-verification, which has the keys .*forbidden/,
    ],
    ["no keys", {}, "Unknown", /the cluster has no ConfigMap openshift-config-managed\/release-verification/],
    [
      "an empty set of keys",
      { [TRUST]: buildConfigMap("release-verification", {}) },
      "Unknown",
      /names no key that the cluster/,
    ],
  ] as const)
    test(`${what}: not verified`, async (t) => {
      const verification = await verify(t, answers);
      assert.equal(verification.status, status);
      assert.match(verification.message, message);
      assert.equal(verification.reason !== undefined, what === "keys that may not be read");
    });
});

const CA_BUNDLE = `${CONFIG_MAPS}/trusted-ca-bundle`;
const STORE_CA = "/api/v1/namespaces/openshift-config/configmaps/store-ca";

/** A store that has the image's signature. */
function startStore(t: TestContext, authority: CertificateAuthority): Promise<MockServer> {
  const [signature = ""] = Object.values(buildSignatureData(KEY, DIGEST));
  return serve(
    t,
    (request, response) => {
      const isFirst = request.url === `/sha256=${"a".repeat(64)}/signature-1`;
      response.writeHead(isFirst ? 200 : 404).end(isFirst ? Buffer.from(signature, "base64") : undefined);
    },
    authority.issue("store"),
  );
}

describe("stores of signatures", { skip: noOpenssl }, () => {
  const trustStore = ({ url }: MockServer, { ca }: CertificateAuthority): Readonly<Record<string, FakeResponse>> => ({
    [TRUST]: buildConfigMap("release-verification", { data: { ...buildKeyData(KEY), "store-demo": url } }),
    [CA_BUNDLE]: buildConfigMap("trusted-ca-bundle", { data: { "ca-bundle.crt": ca.cert } }),
    [CONFIG_MAPS]: buildList(),
  });

  test("of the release are asked only if no ConfigMap has a valid signature", async (t) => {
    const authority = createAuthority(createFolder(t));
    const store = await startStore(t, authority);
    const cluster = trustStore(store, authority);
    const local = { ...cluster, [CONFIG_MAPS]: buildList(buildSignatureData(KEY, DIGEST)) };
    assert.equal((await verify(t, local)).status, "Verified");
    assert.equal(store.requests.length, 0);
    const stranger = { ...cluster, [CONFIG_MAPS]: buildList(buildSignatureData(STRANGER, DIGEST)) };
    assert.equal((await verify(t, stranger)).status, "Verified");
    assert.equal(store.requests.length, 2);
  });

  test("in ClusterVersion's spec replace those of the release", async (t) => {
    const authority = createAuthority(createFolder(t));
    const theirs = await startStore(t, authority);
    const ours = await startStore(t, authority);
    const spec = { signatureStores: [{ url: ours.url, ca: { name: "" } }] };
    assert.equal((await verify(t, trustStore(theirs, authority), spec)).status, "Verified");
    assert.deepEqual([theirs.requests.length, ours.requests.length], [0, 2]);
  });

  test("with a certificate authority of their own are left out if it can't be read", async (t) => {
    const authority = createAuthority(createFolder(t));
    const store = await startStore(t, authority);
    const cluster = { [TRUST]: KEYS, [CONFIG_MAPS]: buildList() };
    const spec = { signatureStores: [{ url: store.url, ca: { name: "store-ca" } }] };
    for (const [answer, why] of [
      [undefined, /\(ConfigMap openshift-config\/store-ca has no certificate in ca\.crt\)$/],
      [FORBIDDEN, /\(ConfigMap openshift-config\/store-ca can't be read: .*forbidden.*\)$/],
    ] as const) {
      const { message } = await verify(t, { ...cluster, ...(answer ? { [STORE_CA]: answer } : {}) }, spec);
      assert.match(message, why);
    }
    assert.equal(store.requests.length, 0);
    const present = buildConfigMap("store-ca", { data: { "ca.crt": authority.ca.cert } }, "openshift-config");
    assert.equal((await verify(t, { ...cluster, [STORE_CA]: present }, spec)).status, "Verified");
  });
});
