import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { toStableText } from "../../src/model/text.ts";

/** Each text, and what is left of it: the same if nothing changes from one report to the next. */
const TABLE: readonly (readonly [string, string])[] = [
  ["read udp 10.0.0.1:41234->10.0.0.2:53: i/o timeout", "read udp …->…: i/o timeout"],
  ["dial tcp [fd00::1]:41234->[fd00::2%eth0]:443: EOF", "dial tcp …->…: EOF"],
  ['Get "https://10.0.0.5:5000/v2/": dial tcp 10.0.0.5:5000: EOF', 'Get "https://10.0.0.5:5000/v2/": dial tcp …: EOF'],
  ["lookup registry.example.com on 10.0.0.10:53: no such host", "lookup registry.example.com on …: no such host"],
  ["The image 10.0.0.5:5000/a/b@sha256:5d0 is absent", "The image 10.0.0.5:5000/a/b@sha256:5d0 is absent"],
  ["subnet 10.0.0.0/16, release 4.18.6", "subnet 10.0.0.0/16, release 4.18.6"],
  ["at 2026-03-01T11:58:50.123Z, 2026/03/01 11:58:50, 2026-03-01 11:58:50.1 +0000 UTC m=+0.5", "at …, …, …"],
  ["E0301 11:58:50.123456   12345 main.go:10] it failed", "… main.go:10] it failed"],
  ["back-off 5m0s restarting, after 1.5s and 300ms", "back-off … restarting, after … and …"],
  ["requested: cpu=10m,memory=160Mi; ?timeout=10s", "requested: cpu=10m,memory=160Mi; ?timeout=10s"],
  ["panic 0x7f00aa11, goroutine 17, pid 4711, attempt 3/5", "panic …, goroutine …, pid …, attempt …"],
  ["pod a(0f9c0d2b-3f4c-4b53-8b1e-7d8a3b0a3f11)", "pod a(…)"],
  ["unexpected status from GET: 503 Service Unavailable", "unexpected status from GET: 503 Service Unavailable"],
];

describe("a text without what differs each time", () => {
  for (const [text, expected] of TABLE) test(text, () => assert.equal(toStableText(text), expected));
});
