import assert from "node:assert/strict";
import { test } from "node:test";
import {
  buildDefaultNotices,
  buildStorageNotices,
  buildSubresourceFindings,
  buildSubresourceNotices,
} from "../../src/checks/crd-skew/definitions.ts";
import { buildContext } from "../../src/model/check.ts";
import type { Crd } from "../../src/model/crd.ts";
import type { Json, JsonObject } from "../../src/model/json.ts";
import { buildCrd, parseVersions } from "../support/checks/widgets.ts";
import { release, version } from "../support/fixtures.ts";

const UPDATE = buildContext(version("4.18.5"), release("4.19.2"), new Date(0));
const ROLLBACK = buildContext(version("4.19.2"), release("4.18.5"), new Date(0));

test("notices that objects are stored in another version from now on", () => {
  const table: readonly (readonly [installed: string, target: string, versions?: RegExp])[] = [
    ["v1*", "v1*"],
    ["v1* v2", "v1 v2*", /^4\.19\.2 stores widgets\.example\.com as v2; objects stored as v1 remain readable, /],
    ["v1* v2", "v1- v2*", /as v2; objects stored as v1 /],
    ["v1* v2", "v2*"],
    ["v1 v2", "v1*"],
    ["v1*", "v1 v2"],
  ];
  for (const [installed, target, versions] of table) {
    const pair = { installed: buildCrd(parseVersions(installed)), target: buildCrd(parseVersions(target)) };
    const notices = buildStorageNotices(pair, UPDATE);
    assert.equal(notices.length, versions === undefined ? 0 : 1, `${installed} to ${target}`);
    if (versions) assert.match(notices.join(), versions);
  }
});

test("reports a subresource that is gone, but of a rollback only tells it", () => {
  const build = (name: string, served: boolean, ...subresources: readonly string[]) =>
    buildCrd([{ name, served, subresources: Object.fromEntries(subresources.map((one) => [one, {}])) }]);
  const before = build("v1", true, "status", "scale");
  const path = "spec.versions[v1].subresources.status";
  const table: readonly (readonly [target: Crd, installed: Crd, isMissing: boolean])[] = [
    [before, before, false],
    [build("v1", true, "scale"), before, true],
    [build("v1", false, "scale"), before, false],
    [build("v1", true, "scale"), build("v1", false, "status"), false],
    [build("v2", true), before, false],
  ];
  for (const [target, installed, isMissing] of table) {
    const pair = { installed, target };
    const found = buildSubresourceFindings(pair, UPDATE);
    assert.deepEqual(
      found.map((one) => [one.path, one.message]),
      isMissing ? [[path, "Version v1 no longer has /status."]] : [],
    );
    assert.deepEqual(buildSubresourceFindings(pair, ROLLBACK), []);
    assert.deepEqual(buildSubresourceNotices(pair, UPDATE), []);
    assert.equal(buildSubresourceNotices(pair, ROLLBACK).length, isMissing ? 1 : 0);
  }
});

test("notices each default that changes, wherever it stands", () => {
  const text = (value: Json) => ({ type: "string", default: value });
  const long = "a".repeat(60);
  const table: readonly (readonly [before: JsonObject, after: JsonObject, changes: string])[] = [
    [text("A"), text("A"), ""],
    [text("A"), text("B"), 'a from "A" to "B"'],
    [{ type: "string" }, text("B"), ""],
    [text("A"), { type: "string" }, ""],
    [
      { type: "object", properties: { b: text("A") } },
      { type: "object", properties: { b: text("B") } },
      'a.b from "A" to "B"',
    ],
    [{ type: "array", items: text("A") }, { type: "array", items: text("B") }, 'a[*] from "A" to "B"'],
    [
      { type: "object", additionalProperties: text("A") },
      { type: "object", additionalProperties: text("B") },
      'a[*] from "A" to "B"',
    ],
    [text(long.slice(2)), text(long.slice(1)), `a from "${long.slice(2)}" to "${long.slice(1)}... (shortened)`],
  ];
  for (const [before, after, changes] of table) {
    const build = (a: JsonObject) =>
      buildCrd([{ name: "v1", served: true, schema: { openAPIV3Schema: { type: "object", properties: { a } } } }]);
    const notices = buildDefaultNotices({ installed: build(before), target: build(after) }, UPDATE);
    const start = "4.19.2 changes defaults in version v1 of widgets.example.com: ";
    const end = ". Objects that have the field stored keep its value; all others get the new default.";
    assert.deepEqual(notices, changes === "" ? [] : [`${start}${changes}${end}`]);
  }
});
