import assert from "node:assert/strict";
import { cpSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { listAt, parseObject, textAt } from "../../src/model/json.ts";
import { noOpenssl } from "../../verify/api-server/certificates.ts";
import { serve } from "../support/cluster/mock-server.ts";
import { startConnectProxy } from "../support/cluster/proxies.ts";
import { buildImage, buildLayer } from "../support/image-builder.ts";
import { writeLayout } from "../support/oci-layout.ts";
import { buildClaim, createTestKey } from "../../verify/signatures/openpgp.ts";
import { runPreflight } from "../../verify/shared/preflight.ts";
import { createTestAuthority, createTestFolder } from "../support/registry.ts";
import { buildConfigMap } from "../support/cli/demo-image.ts";
import { readDemoRelease } from "../support/cli/demo-release.ts";
import { sampleEach } from "../support/cases/sample.ts";
import { connect } from "../support/cli/mcp-client.ts";
import {
  ASKED,
  BUNDLE,
  buildBundle,
  buildProxy,
  fail,
  FORBIDDEN,
  startCluster,
  startUpdateService,
  succeed,
} from "../support/cli/private-network.ts";

const options = { skip: noOpenssl };

test("an update service with a private certificate: the cluster's bundle or --registry-ca", options, async (t) => {
  const { authority, address } = await startUpdateService(t);
  const bare = await startCluster(t, address);
  const { host } = new URL(address);
  const reason = `reading the update graph from ${address}: ${host}: its certificate is not trusted (UNABLE_TO_VERIFY_LEAF_SIGNATURE)`;
  const hint =
    "give its certificate authority with --registry-ca, or in trustedCA of Proxy cluster, as the operator needs it";
  assert.equal(await fail(bare), `preflight: ${reason}: ${hint}`);
  await succeed(bare, ["--registry-ca", authority.ca.certFile]);
  const other = createTestAuthority(t);
  const bundle = buildBundle(`# of the system\n${other.ca.cert}\n# of the lab\n${authority.ca.cert}`);
  const cluster = await startCluster(t, address, bundle);
  await succeed(cluster);

  const plan = (kubeconfig: string) => runPreflight(["plan", "--kubeconfig", kubeconfig, "--to", "4.19"]);
  const { err } = await plan(bare);
  assert.ok(err.startsWith(`preflight: ${reason}: ${hint}; the route follows the rule`), err);
  assert.match((await plan(cluster)).err, ASKED);
});

test("a bundle that can't be read is told where it would have been needed", options, async (t) => {
  const { authority, address } = await startUpdateService(t);
  const where = "ConfigMap openshift-config-managed/trusted-ca-bundle";
  for (const [objects, why] of [
    [
      { [BUNDLE]: FORBIDDEN },
      `${where} could not be read (403 forbidden), so its certificate authorities are not trusted`,
    ],
    [
      buildBundle("-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n"),
      `${where} has nothing in ca-bundle.crt that can be read as a certificate, so it is not trusted`,
    ],
  ] as const) {
    const cluster = await startCluster(t, address, objects);
    const line = await fail(cluster);
    assert.ok(
      line.endsWith(
        `: its certificate is not trusted (UNABLE_TO_VERIFY_LEAF_SIGNATURE): give its certificate authority with --registry-ca, or in trustedCA of Proxy cluster, as the operator needs it; ${why}`,
      ),
      line,
    );
    await succeed(cluster, ["--registry-ca", authority.ca.certFile]);
  }
  const damaged = `-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n${authority.ca.cert}`;
  await succeed(await startCluster(t, address, buildBundle(damaged)));
});

test("an assistant gets the same line, and the same help", options, async (t) => {
  const { authority, address } = await startUpdateService(t);
  const bare = await startCluster(t, address);
  const cluster = await startCluster(t, address, buildBundle(authority.ca.cert));
  const cases = [
    [
      bare,
      [],
      /its certificate is not trusted \(\w+\): give its certificate authority with --registry-ca, or in trustedCA/,
    ],
    [bare, ["--registry-ca", authority.ca.certFile], ASKED],
    [cluster, [], ASKED],
  ] as const;
  // Each starts a process; --registry-ca is the same flag for every command.
  for (const [kubeconfig, args, text] of sampleEach(cases, 2)) {
    const client = await connect(["--kubeconfig", kubeconfig, ...args]);
    t.after(() => client.close());
    const { isError, content } = await client.callTool({ name: "check", arguments: { to: "4.19" } });
    assert.equal(isError, true);
    assert.match(JSON.stringify(content), text);
  }
});

test("a signature store with a private certificate: the cluster's bundle or --registry-ca", options, async (t) => {
  const authority = createTestAuthority(t);
  const key = createTestKey("Lab <lab@example.com>");
  const files = Object.entries(await readDemoRelease("4.18.6")).map(([name, text]) => [
    `release-manifests/${name}`,
    text,
  ]);
  const image = buildImage([await buildLayer(Object.fromEntries(files))], "oci");
  const { digest } = image.manifest;
  const store = await serve(
    t,
    ({ url }, response) => {
      const isFirst = url === `/${digest.replace(":", "=")}/signature-1`;
      response.writeHead(isFirst ? 200 : 404).end(isFirst ? key.sign(buildClaim(digest)) : "");
    },
    authority.issue("store"),
  );
  const armored = `-----BEGIN PGP PUBLIC KEY BLOCK-----\n\n${key.keyring.toString("base64")}\n-----END PGP PUBLIC KEY BLOCK-----\n`;
  const data = { "verifier-public-key-lab": armored, "store-lab": store.url };
  const keys = buildConfigMap("openshift-config-managed", "release-verification", { data });
  const folder = createTestFolder(t);
  writeLayout(folder, { release: image });
  const verify = async (objects: Parameters<typeof startCluster>[2], ...args: readonly string[]) => {
    const kubeconfig = await startCluster(t, "", { ...keys, ...objects });
    const given = ["check", "--kubeconfig", kubeconfig, "--to-image", `oci:${folder}`, "--only", "release-signature"];
    const { out, err } = await runPreflight([...given, "-o", "json", ...args], { XDG_CACHE_HOME: folder });
    assert.notEqual(out, "", err);
    const { status, message } = JSON.parse(out).targetImageVerification;
    return `${status}: ${message}`;
  };
  const { host } = new URL(store.url);
  assert.equal(
    await verify({}),
    `Unknown: could not be verified: no signature of it was found in the ConfigMaps of openshift-config-managed and ${store.url} (${host}: its certificate is not trusted (UNABLE_TO_VERIFY_LEAF_SIGNATURE): give its certificate authority with --registry-ca, or in trustedCA of Proxy cluster, as the operator needs it)`,
  );
  assert.match(await verify({}, "--registry-ca", authority.ca.certFile), /^Verified: /);
  assert.match(await verify(buildBundle(authority.ca.cert)), /^Verified: /);
  const proxy = await startConnectProxy(t);
  const named = { ...data, "store-lab": `https://store.lab.test:${store.port}` };
  const throughProxy = {
    ...buildConfigMap("openshift-config-managed", "release-verification", { data: named }),
    ...buildBundle(authority.ca.cert),
    ...buildProxy({ httpsProxy: `http://127.0.0.1:${proxy.port}` }),
  };
  assert.match(await verify(throughProxy), /its certificate is for another name/);
  assert.deepEqual([...new Set(proxy.requests)], [`store.lab.test:${store.port}`]);
});

test("each cluster of a fleet has its own bundle", options, async (t) => {
  const services = [await startUpdateService(t), await startUpdateService(t)];
  const [a, b] = services;
  assert.ok(a && b);
  const folder = createTestFolder(t);
  const clusters = join(folder, "clusters");
  mkdirSync(clusters);
  for (const [name, service, pem] of [
    ["a", a, a.authority.ca.cert],
    ["b", b, b.authority.ca.cert],
    ["c", a, b.authority.ca.cert],
  ] as const)
    cpSync(await startCluster(t, service.address, buildBundle(pem)), join(clusters, name));
  const args = ["--to", "4.19", "--kubeconfig", clusters, "--results", join(folder, "results"), "-o", "json"];
  const { out, err } = await runPreflight(["fleet", ...args]);
  assert.notEqual(out, "", err);
  const problems = listAt(parseObject(out), "clusters").map((one) => [
    textAt(one, "name"),
    textAt(one, "problem", "reason"),
  ]);
  assert.deepEqual(problems, [
    ["a", "TargetNotOffered"],
    ["b", "TargetNotOffered"],
    ["c", "PayloadUnreadable"],
  ]);
});
