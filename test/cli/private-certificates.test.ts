import assert from "node:assert/strict";
import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { listAt, parseObject, textAt } from "../../src/model/json.ts";
import { noOpenssl } from "../cluster/certificates.ts";
import { serve } from "../cluster/mock-server.ts";
import { startConnectProxy } from "../cluster/proxies.ts";
import { buildImage, buildLayer } from "../support/image-builder.ts";
import { writeLayout } from "../support/oci-layout.ts";
import { buildClaim, createTestKey } from "../support/openpgp.ts";
import { runPreflight } from "../support/preflight.ts";
import { createTestAuthority, createTestFolder } from "../support/registry.ts";
import { buildConfigMap } from "./demo-image.ts";
import { readDemoRelease } from "./demo-release.ts";
import {
  BUNDLE,
  buildBundle,
  buildProxy,
  buildRecording,
  NAME,
  PROXY,
  startCluster,
  startUpdateService,
} from "./private-network.ts";

const options = { skip: noOpenssl };
const FORBIDDEN = { error: "403 forbidden" };
const ASKED =
  /no updates lead from 4\.17\.20 to 4\.19 in the channel stable-4\.17: the update service offers no update/;

type Env = Readonly<Record<string, string>>;
const checkTo = (kubeconfig: string, args: readonly string[] = [], env: Env = {}) =>
  runPreflight(["check", "--kubeconfig", kubeconfig, "--to", "4.19", ...args], env);

/** The one line of a command that did not get the graph. */
async function fail(kubeconfig: string, args: readonly string[] = [], env: Env = {}): Promise<string> {
  const { code, out, err } = await checkTo(kubeconfig, args, env);
  assert.deepEqual([code, out], [1, ""], err);
  assert.match(err, /^[^\n]+\n$/);
  return err.trim();
}

async function succeed(kubeconfig: string, args: readonly string[] = [], env: Env = {}): Promise<void> {
  const { code, err } = await checkTo(kubeconfig, args, env);
  assert.deepEqual([code, ASKED.test(err)], [2, true], err);
}

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

test("the environment's proxy, or else the cluster's, and neither for what is exempt", options, async (t) => {
  const { authority, server, named } = await startUpdateService(t);
  const [ours, theirs] = [await startConnectProxy(t), await startConnectProxy(t)];
  const requested = `${NAME}:${server.port}`;
  const connect = (status: Readonly<Record<string, string>>) =>
    startCluster(t, named, { ...buildBundle(authority.ca.cert), ...buildProxy(status) });
  const httpsProxy = `http://admin:hunter2@127.0.0.1:${theirs.port}`;
  const cluster = await connect({ httpsProxy });
  await succeed(cluster);
  assert.deepEqual([...new Set(theirs.requests)], [requested]);
  assert.equal(theirs.logins[0], `Basic ${Buffer.from("admin:hunter2").toString("base64")}`);
  const count = theirs.requests.length;

  await succeed(cluster, [], { HTTPS_PROXY: `http://127.0.0.1:${ours.port}` });
  assert.deepEqual([[...new Set(ours.requests)], theirs.requests.length], [[requested], count]);

  const notFound = `reading the update graph from https://${requested}/graph: ${requested}: its name was not found`;
  assert.equal(await fail(cluster, [], { NO_PROXY: ".lab.test" }), `preflight: ${notFound}`);
  assert.equal(await fail(await connect({ httpsProxy, noProxy: `.svc,${NAME}` })), `preflight: ${notFound}`);
  assert.equal(
    await fail(await connect({})),
    `preflight: ${notFound}: if only a proxy leads there, set HTTPS_PROXY or Proxy cluster`,
  );
  assert.equal(theirs.requests.length, count);
});

test("what is wrong with the cluster's proxy is one line without its password", options, async (t) => {
  const { authority, server, named } = await startUpdateService(t);
  const refusing = await startConnectProxy(t, 407);
  const begin = `preflight: reading the update graph from ${named}: `;
  const run = async (proxy: Parameters<typeof startCluster>[2]): Promise<string> => {
    const line = await fail(await startCluster(t, named, { ...buildBundle(authority.ca.cert), ...proxy }));
    assert.doesNotMatch(line, /hunter2/);
    assert.ok(line.startsWith(begin), line);
    return line.slice(begin.length);
  };
  const requested = `${NAME}:${server.port}`;
  assert.equal(
    await run(buildProxy({ httpsProxy: `http://admin:hunter2@127.0.0.1:${refusing.port}` })),
    `${requested}: proxy http://127.0.0.1:${refusing.port} failed: it responded with 407 No: Proxy cluster names it; set HTTPS_PROXY to use another, or NO_PROXY to use none`,
  );
  assert.equal(
    await run(buildProxy({ httpsProxy: "gopher://admin:hunter2@127.0.0.1" })),
    "The status of Proxy cluster names a proxy that is not an http, https or socks5 URL: set HTTPS_PROXY to use another",
  );
  assert.equal(
    await run({ [PROXY]: FORBIDDEN }),
    `${requested}: its name was not found: if only a proxy leads there, set HTTPS_PROXY or Proxy cluster; Proxy cluster could not be read (403 forbidden), so its proxy is not used`,
  );
});

test(
  "a proxy that serves TLS: the cluster's by its bundle, the environment's by --registry-ca alone",
  options,
  async (t) => {
    const { authority, named } = await startUpdateService(t);
    const proxy = await startConnectProxy(t, undefined, authority.issue("proxy"));
    const address = `https://127.0.0.1:${proxy.port}`;
    const bundle = buildBundle(authority.ca.cert);
    await succeed(await startCluster(t, named, { ...bundle, ...buildProxy({ httpsProxy: address }) }));
    const env = { HTTPS_PROXY: address };
    const cluster = await startCluster(t, named, bundle);
    assert.match(
      await fail(cluster, [], env),
      /proxy https:\S+ failed: .*: give the certificate authority of the proxy with --registry-ca$/,
    );
    await succeed(cluster, ["--registry-ca", authority.ca.certFile], env);
  },
);

test("credentials in an address go neither through the cluster's proxy nor by its bundle", options, async (t) => {
  const { authority, server, address, named } = await startUpdateService(t);
  const proxy = await startConnectProxy(t);
  const httpsProxy = `http://127.0.0.1:${proxy.port}`;
  const cluster = await startCluster(t, address, { ...buildBundle(authority.ca.cert), ...buildProxy({ httpsProxy }) });
  const withPassword = (url: string): readonly string[] => ["--graph", url.replace("//", "//me:hunter2@")];
  assert.match(
    await fail(cluster, withPassword(address)),
    /graph: \S+: its certificate is not trusted \(\w+\): give its certificate authority with --registry-ca$/,
  );
  const direct = await fail(cluster, [...withPassword(named), "--registry-ca", authority.ca.certFile]);
  assert.match(direct, /: its name was not found: if only a proxy leads there, set HTTPS_PROXY$/);
  assert.doesNotMatch(direct, /hunter2/);
  assert.deepEqual([proxy.requests, server.requests.length], [[], 0]);
  await succeed(cluster, [...withPassword(address), "--registry-ca", authority.ca.certFile]);
});

test("a recording's proxy and bundle are not used, and none is recorded", options, async (t) => {
  const { authority, address, named } = await startUpdateService(t);
  const proxy = await startConnectProxy(t);
  const httpsProxy = `http://admin:hunter2@127.0.0.1:${proxy.port}`;
  const objects = { ...buildBundle(authority.ca.cert), ...buildProxy({ httpsProxy }) };
  for (const [upstream, why] of [
    [address, /: its certificate is not trusted \(\w+\): give its certificate authority with --registry-ca\n$/],
    [named, /: its name was not found: if only a proxy leads there, set HTTPS_PROXY\n$/],
  ] as const) {
    const folder = createTestFolder(t);
    writeFileSync(join(folder, "cluster.json"), JSON.stringify(buildRecording(upstream, objects)));
    const { code, err } = await runPreflight(["check", "--recorded", folder, "--to", "4.19"]);
    assert.equal(code, 1);
    assert.match(err, why);
  }
  assert.deepEqual(proxy.requests, []);
  const folder = createTestFolder(t);
  const kubeconfig = await startCluster(t, address, objects);
  const target = ["--target", "demo/release", "--graph", address, "--only", "conditional-updates"];
  const { code, err } = await runPreflight(["record", "--kubeconfig", kubeconfig, "--dest-dir", folder, ...target]);
  assert.equal(code, 0, err);
  assert.doesNotMatch(readFileSync(join(folder, "cluster.json"), "utf8"), /proxies|trusted-ca-bundle|hunter2/);
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
