import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { noOpenssl } from "../../verify/api-server/certificates.ts";
import { startConnectProxy } from "../support/cluster/proxies.ts";
import { runPreflight } from "../../verify/shared/preflight.ts";
import { createTestFolder } from "../support/registry.ts";
import {
  buildBundle,
  buildProxy,
  buildRecording,
  fail,
  FORBIDDEN,
  NAME,
  PROXY,
  startCluster,
  startUpdateService,
  succeed,
} from "../support/cli/private-network.ts";

const options = { skip: noOpenssl };

test("the environment's proxy, or else the cluster's, and neither for what is exempt", options, async (t) => {
  const { authority, server, named } = await startUpdateService(t);
  const ours = await startConnectProxy(t);
  const theirs = await startConnectProxy(t);
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
    [address, /: its certificate is not trusted \(\w+\): give its certificate authority with --registry-ca; name/],
    [named, /: its name was not found: if only a proxy leads there, set HTTPS_PROXY; name/],
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
