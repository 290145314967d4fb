import assert from "node:assert/strict";
import { test } from "node:test";
import { listGroupVersions, parseApiGroups, requireApiGroups } from "../../src/model/resource.ts";
import { countCharacters, takeCharacters } from "../../src/model/text.ts";
import { decodeDataUrl } from "../../src/model/data-url.ts";
import { findRunningVersion, isUpdating } from "../../src/model/cluster-version.ts";
import { isSignatureKey, listSignatureConfigMaps, toSignatureKey } from "../../src/model/release.ts";
import { findingsOf, isEndedByUpdate } from "../../src/model/report.ts";
import type { JsonObject } from "../../src/model/json.ts";

test("an API server's groups come from an APIGroupList alone", () => {
  const groups: readonly JsonObject[] = [
    { versions: [{ groupVersion: "policy/v1" }, {}] },
    { versions: [{ groupVersion: "apps/v1" }] },
  ];
  const answer = JSON.stringify({ kind: "APIGroupList", groups });
  assert.deepEqual([parseApiGroups(answer), requireApiGroups(answer)], [groups, groups]);
  assert.deepEqual(listGroupVersions(groups), ["policy/v1", "apps/v1"]);
  const error = new Error("/apis was answered with something other than an APIGroupList");
  for (const text of ['{"kind":"Status","groups":[]}', "{}", "no"]) {
    assert.equal(parseApiGroups(text), undefined);
    assert.throws(() => requireApiGroups(text), error);
  }
});

test("a character is a code point", () => {
  assert.deepEqual(["", "ab", "a\u{1f600}b"].map(countCharacters), [0, 2, 3]);
  const taken = [0, 1, 2, 3, 4].map((limit) => takeCharacters("a\u{1f600}b", limit));
  assert.deepEqual(taken, ["", "a", "a\u{1f600}", "a\u{1f600}b", "a\u{1f600}b"]);
});

test("a data URL has its bytes behind the first comma", () => {
  const urls = ["data:,a%20b,c", "data:text/plain;base64,YQ==", "data:,", "data:a", "data:,%", "http:,a", ",data:"];
  const texts = urls.map((url) => decodeDataUrl(url)?.toString());
  assert.deepEqual(texts, ["a b,c", "a", "", undefined, undefined, undefined, undefined]);
});

test("a cluster runs the version of its last completed update", () => {
  const entry = (state: string, version: string) => ({ state, version });
  const status = { history: [entry("Partial", "3"), entry("Completed", "2"), entry("Completed", "1")] };
  assert.deepEqual([findRunningVersion({ status }), isUpdating({ status })], ["2", true]);
  const installing = { status: { history: [entry("Partial", "3")], desired: { version: "3" } } };
  assert.deepEqual([findRunningVersion(installing), isUpdating(installing)], ["3", true]);
  const done = { status: { history: [entry("Completed", "2"), entry("Partial", "1")] } };
  assert.deepEqual([findRunningVersion(done), isUpdating(done)], ["2", false]);
  assert.deepEqual([findRunningVersion({}), isUpdating({})], [undefined, false]);
});

test("a signature's key is that of its digest, with a number", () => {
  const digits = "0123456789abcdef".repeat(4);
  const key = `sha256-${digits}`;
  assert.equal(toSignatureKey(`sha256:${digits}`), key);
  assert.deepEqual(listSignatureConfigMaps(`sha256:${digits}`), ["mirrored-release-signatures", key]);
  const others = [`${key}-`, `${key}-a`, `${key}0`, `x${key}`, `${key}-1x`, key.slice(1), key.toUpperCase(), ""];
  assert.deepEqual([key, `${key}-1`, `${key}-12`, ...others].filter(isSignatureKey), [key, `${key}-1`, `${key}-12`]);
});

test("an outcome has findings if it is a risk or unknown, and two failures are the end of an update", () => {
  const object = { apiVersion: "v1", kind: "Node", name: "a" };
  const findings = [{ risk: "R", object, message: "It is broken." }];
  assert.deepEqual(findingsOf({ kind: "risk", findings, notices: [] }), findings);
  assert.deepEqual(findingsOf({ kind: "unknown", unknowns: [], findings, notices: [] }), findings);
  assert.deepEqual(findingsOf({ kind: "clear", notices: [] }), []);
  assert.deepEqual(findingsOf({ kind: "notApplicable", reason: "No." }), []);
  const reasons = ["UpdateInProgress", "TargetReached", "Unauthorized"] as const;
  assert.deepEqual(
    reasons.map((reason) => isEndedByUpdate({ reason, message: "" })),
    [true, true, false],
  );
});
