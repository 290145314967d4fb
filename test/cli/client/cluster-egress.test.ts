import assert from "node:assert/strict";
import { test } from "node:test";
import { readClusterEgress } from "../../../src/cli/client/cluster-network.ts";
import { noOpenssl } from "../../../verify/api-server/certificates.ts";
import { neverAborted } from "../../support/cluster/mock-server.ts";
import { type FakeResponse, fakeReader } from "../../../verify/api-server/fake-reader.ts";
import { createTestAuthority } from "../../support/registry.ts";
import { present } from "../../support/present.ts";

const CONFIG = "/apis/config.openshift.io/v1";
const PROXY = `${CONFIG}/proxies/cluster`;
const INFRASTRUCTURE = `${CONFIG}/infrastructures/cluster`;
const BUNDLE = "/api/v1/namespaces/openshift-config-managed/configmaps/trusted-ca-bundle";
const USER_BUNDLE = "/api/v1/namespaces/openshift-config/configmaps/user-ca-bundle";
const FORBIDDEN = { kind: "failed", reason: "Forbidden", message: "no" } as const;

const readFrom = (answers: Readonly<Record<string, FakeResponse>>) =>
  readClusterEgress(fakeReader(answers), neverAborted);
const bundle = (pem: string) => ({ data: { "ca-bundle.crt": pem } });

test("the proxy is that of Proxy's status, and what is absent or empty is no problem", async () => {
  const nothing = { proxy: {}, proxyProblems: [], authorities: [], authorityProblems: [] };
  assert.deepEqual(await readFrom({}), nothing);
  assert.deepEqual(
    present(await readFrom({ [BUNDLE]: bundle(""), [PROXY]: { spec: { httpsProxy: "http://p" } } })),
    nothing,
  );
  const status = { httpsProxy: "http://a", httpProxy: "http://b", noProxy: ".svc" };
  assert.deepEqual(await readFrom({ [PROXY]: { status } }), { ...nothing, proxy: status });
});

test("only a hosted cluster's user-ca-bundle counts beside the bundle", { skip: noOpenssl }, async (t) => {
  const pem = createTestAuthority(t).ca.cert;
  const answers = { [BUNDLE]: bundle(pem), [USER_BUNDLE]: bundle(`${pem}2`) };
  const read = async (controlPlaneTopology: string) =>
    (await readFrom({ ...answers, [INFRASTRUCTURE]: { status: { controlPlaneTopology } } })).authorities;
  assert.deepEqual(await read("HighlyAvailable"), [{ host: "", pem }]);
  assert.deepEqual(await read("External"), [
    { host: "", pem },
    { host: "", pem: `${pem}2` },
  ]);
});

test("what can't be read is a problem of its own, and the rest counts", async () => {
  const { proxy, ...problems } = await readFrom({ [PROXY]: FORBIDDEN, [BUNDLE]: bundle("no certificate") });
  assert.deepEqual([proxy, problems.authorities], [{}, []]);
  assert.deepEqual(problems.proxyProblems, ["Proxy cluster could not be read (no), so its proxy is not used"]);
  assert.match(
    problems.authorityProblems.join(),
    /^ConfigMap openshift-config-managed\/trusted-ca-bundle has nothing in/,
  );
});
