import assert from "node:assert/strict";
import { test } from "node:test";
import { findProxyInEnv } from "../../src/network/proxy.ts";

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
