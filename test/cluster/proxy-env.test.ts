import assert from "node:assert/strict";
import { test } from "node:test";
import { chooseProxy, findProxyInEnv, parseProxy, type ProxySettings } from "../../src/network/proxy.ts";

const P = "http://proxy:3128";

const CASES: readonly (readonly [server: string, noProxy: string, proxied: boolean])[] = [
  ["https://api.example.com:6443", "", true],
  ["https://api.example.com:6443", "*", false],
  ["https://api.example.com:6443", "example.com", false],
  ["https://api.example.com:6443", ".example.com", false],
  ["https://api.example.com:6443", "*.example.com", false],
  ["https://example.com", ".example.com", true],
  ["https://example.com", "example.com", false],
  ["https://notexample.com", "example.com", true],
  ["https://api.example.com:6443", "x, API.example.com:6443", false],
  ["https://api.example.com:6443", "api.example.com:443", true],
  ["https://example.com", "example.com:443", false],
  ["https://10.1.2.3:6443", "10.0.0.0/8", false],
  ["https://10.1.2.3:6443", "11.0.0.0/8", true],
  ["https://10.1.2.3:6443", "10.0.0.0/99", true],
  ["https://10.1.2.3:6443", "10.1.2.3", false],
  ["https://10.1.2.3:6443", "2.3", true],
  ["https://[fd00::1]:6443", "fd00::/8", false],
  ["https://[fd00::1]:6443", "fd00::1", false],
  ["https://[fd00::1]:6443", "[fd00::1]:6443", false],
  ["https://[fd00::1]:6443", "fe00::/8", true],
  ["https://localhost:6443", "", false],
  ["https://127.8.8.8:6443", "", false],
  ["https://[::1]:6443", "", false],
];

for (const [server, noProxy, proxied] of CASES) {
  test(`${server} is ${proxied ? "" : "not "}proxied with NO_PROXY=${noProxy}`, () => {
    const env = { HTTPS_PROXY: P, no_proxy: noProxy };
    assert.equal(findProxyInEnv(new URL(server), env), proxied ? P : undefined);
  });
}

test("uses the variable for the scheme, in upper or lower case, and adds a missing scheme", () => {
  assert.equal(findProxyInEnv(new URL("http://a.b"), { HTTPS_PROXY: P }), undefined);
  assert.equal(findProxyInEnv(new URL("http://a.b"), { http_proxy: "proxy:3128" }), P);
  assert.equal(findProxyInEnv(new URL("https://a.b"), { https_proxy: "" }), undefined);
});

const CLUSTER: ProxySettings = {
  httpsProxy: "http://cluster:3128",
  httpProxy: "http://plain:3128",
  noProxy: ".svc,10.0.0.0/8,near.example:8443",
};
const none = { kind: "none" } as const;
const exempt = { kind: "exempt" } as const;
const own = { kind: "proxy", address: P, origin: "environment" } as const;
const theirs = (address: string) => ({ kind: "proxy", address, origin: "cluster" }) as const;

for (const [server, env, choice] of [
  ["https://a.example", {}, theirs("http://cluster:3128")],
  ["http://a.example", {}, theirs("http://plain:3128")],
  ["https://a.example", { HTTPS_PROXY: P }, own],
  ["http://a.example", { HTTPS_PROXY: P }, theirs("http://plain:3128")],
  ["https://x.y.svc", { HTTPS_PROXY: P }, own],
  ["https://a.example", { NO_PROXY: "a.example" }, exempt],
  ["https://a.example", { NO_PROXY: "*" }, exempt],
  ["https://x.y.svc", {}, exempt],
  ["https://10.7.7.7", {}, exempt],
  ["https://near.example:8443", {}, exempt],
  ["https://near.example", {}, theirs("http://cluster:3128")],
  ["https://127.0.0.1:8443", { HTTPS_PROXY: P }, exempt],
] as const)
  test(`beside the cluster's, ${server} with ${JSON.stringify(env)}: ${JSON.stringify(choice)}`, () => {
    assert.deepEqual(chooseProxy(new URL(server), env, CLUSTER), choice);
  });

test("no proxy at all, and addresses that are none", () => {
  assert.deepEqual(chooseProxy(new URL("https://a.example"), {}), none);
  assert.deepEqual(
    ["http://p:1", "socks5://p", "ftp://p", "http://", "file:///p"].map((address) => parseProxy(address)?.href),
    ["http://p:1/", "socks5://p", undefined, undefined, undefined],
  );
});
