import assert from "node:assert/strict";
import { test } from "node:test";
import { keepInstalledCrd, pairCrds } from "../../src/checks/crd-skew/crd-pair.ts";
import {
  buildNamesFindings,
  buildServedVersionFindings,
  buildStoredVersionFindings,
  buildUnservedNotices,
  type VersionUsage,
} from "../../src/checks/crd-skew/definitions.ts";
import { findServedVersion } from "../../src/checks/crd-skew/version-usage.ts";
import { buildContext } from "../../src/model/check.ts";
import type { JsonObject } from "../../src/model/json.ts";
import { buildCrd, parseVersions, WIDGET_NAMES } from "../support/checks/widgets.ts";
import { release, version } from "../support/fixtures.ts";

const UPDATE = buildContext(version("4.18.5"), release("4.19.2"), new Date(0));

test("tells which stored versions are dropped, and which a migration would keep", () => {
  const table: readonly (readonly [installed: string, stored: readonly string[], target: string, expected: object])[] =
    [
      ["v1*", ["v1"], "v1*", {}],
      ["v1 v2*", ["v1", "v2"], "v2*", { v1: "v2" }],
      ["v1 v2*", ["v1"], "v2*", { v1: "v2" }],
      ["v0 v1 v2*", ["v0", "v1", "v2"], "v1 v2*", { v0: "v1,v2" }],
      ["v0 v1 v2*", ["v0", "v1"], "v2*", { v0: "v2", v1: "v2" }],
      ["v1* v2", ["v1"], "v2*", { v1: undefined }],
      ["v1 v2", ["v1"], "v2*", { v1: undefined }],
    ];
  for (const [installed, stored, target, expected] of table) {
    const pair = { installed: buildCrd(parseVersions(installed), stored), target: buildCrd(parseVersions(target)) };
    const found = buildStoredVersionFindings(pair).map(({ message, detail }) => [
      /drops (\S+), but status\.storedVersions still lists it\.$/.exec(message)?.[1] ?? message,
      detail?.["kept"],
    ]);
    assert.deepEqual(Object.fromEntries(found), expected, installed);
  }
});

function buildUsage(users: Readonly<Record<string, readonly string[]>>, written: readonly string[] = []): VersionUsage {
  const counts = Object.entries(users).map(([one, names]) => ({ name: `widgets.${one}.example.com`, users: names }));
  const objects = written.map((text, i) => {
    const [manager = "", writtenIn = ""] = text.split(" ");
    const object = { apiVersion: "example.com/v2", kind: "Widget", namespace: "demo", name: `w${i}` };
    return { object, writers: [{ manager, version: `example.com/${writtenIn}`, time: "" }] };
  });
  return { counts: { kind: "found", values: counts }, written: objects };
}

test("reports a version that is gone if clients request it, or objects are written in it", () => {
  const gone = "Version v1 is no longer served, and";
  const apply = (what: string) => `server-side apply will fail for ${what}, whose managed fields name it`;
  const unserved =
    "4.19.2 no longer serves widgets.example.com as v1; no client that needs it requested it in the last 24 hours.";
  const table: readonly (readonly [
    target: string,
    usage: VersionUsage,
    finding: string | undefined,
    notices: readonly string[],
  ])[] = [
    ["v1 v2*", buildUsage({ v1: ["a"] }, ["a v1"]), undefined, []],
    ["v2*", buildUsage({}), undefined, [unserved]],
    ["v1- v2*", buildUsage({}), undefined, [unserved]],
    ["v1- v2*", buildUsage({ v2: ["a"] }, ["a v2"]), undefined, [unserved]],
    ["v1- v2*", buildUsage({ v1: ["b", "a"] }), `${gone} b and a requested it in the last 24 hours.`, []],
    ["v1- v2*", buildUsage({ v1: [] }), `${gone} clients requested it in the last 24 hours.`, []],
    ["v1- v2*", buildUsage({}, ["c v1", "a v1", "c v1"]), `${gone} a and c wrote Widget demo/w0 and 2 more in it.`, []],
    ["v1- v2*", buildUsage({}, ["migrator v1"]), undefined, [unserved]],
    ["v2*", buildUsage({}, ["migrator v1"]), `Version v1 is removed; ${apply("Widget demo/w0")}.`, []],
    [
      "v2*",
      buildUsage({ v1: ["a"] }, ["b v1", "c v1"]),
      `${gone} a requested it in the last 24 hours; ${apply("Widget demo/w0 and 1 more")}.`,
      [],
    ],
  ];
  for (const [target, usage, finding, notices] of table) {
    const pair = { installed: buildCrd(parseVersions("v1 v2*")), target: buildCrd(parseVersions(target)) };
    const [first, ...more] = buildServedVersionFindings(pair, usage);
    assert.deepEqual([first?.message, more.length], [finding, 0]);
    if (first !== undefined) {
      const effect = finding?.includes("apply") === true ? { effect: "applyRefused" } : {};
      assert.deepEqual([first.path, first.detail], ["spec.versions[v1]", { kind: "servedVersion", ...effect }]);
    }
    assert.deepEqual(buildUnservedNotices(pair, usage, UPDATE), notices);
  }
});

test("a version that is not served today is missed by its managed fields alone", () => {
  const pair = { installed: buildCrd(parseVersions("v1- v2*")), target: buildCrd(parseVersions("v2*")) };
  const usage = buildUsage({ v1: ["a"] }, ["b v1"]);
  const message =
    "Version v1 is removed; server-side apply will fail for Widget demo/w0, whose managed fields name it.";
  assert.deepEqual(
    buildServedVersionFindings(pair, usage).map((one) => one.message),
    [message],
  );
  assert.deepEqual(buildServedVersionFindings(pair, buildUsage({ v1: ["a"] })), []);
  assert.deepEqual(buildUnservedNotices(pair, buildUsage({}), UPDATE), []);
  const uncounted = { counts: { kind: "absent", what: "resource" }, written: [] } as const;
  const served = { ...pair, installed: buildCrd(parseVersions("v1 v2*")) };
  assert.match(buildUnservedNotices(served, uncounted, UPDATE).join(), /; this cluster does not count requests, so /);
});

test("tells each name that changes, and whether the API server lets it", () => {
  const table: readonly (readonly [
    spec: JsonObject,
    found: readonly (readonly [path: string, risk: string, message: string])[],
  ])[] = [
    [{}, []],
    [
      { scope: "Cluster" },
      [["spec.scope", "CrdScopeOrKindChanged", 'It is "Namespaced" today and "Cluster" in the new CRD.']],
    ],
    [
      { names: { ...WIDGET_NAMES, kind: "Gadget" } },
      [["spec.names.kind", "CrdScopeOrKindChanged", 'It is "Widget" today and "Gadget" in the new CRD.']],
    ],
    [
      { names: { ...WIDGET_NAMES, listKind: "Widgets" } },
      [["spec.names.listKind", "CrdNamesChanged", 'It is "WidgetList" today and "Widgets" in the new CRD.']],
    ],
    [
      { names: { ...WIDGET_NAMES, singular: "w" } },
      [["spec.names.singular", "CrdNamesChanged", 'It is "widget" today and "w" in the new CRD.']],
    ],
  ];
  const installed = buildCrd(parseVersions("v1*"));
  for (const [spec, found] of table) {
    const target = buildCrd(parseVersions("v1*"), [], spec);
    const findings = buildNamesFindings({ installed, target }).map(({ path, risk, message }) => [path, risk, message]);
    assert.deepEqual(findings, found);
  }
});

test("pairs definitions by name, and knows those that releases maintain", () => {
  const widgets = buildCrd(parseVersions("v1*"));
  const other = { ...buildCrd(parseVersions("v1*")), name: "other" };
  assert.deepEqual(pairCrds([other, widgets], [widgets]), [{ installed: widgets, target: widgets }]);
  const isFromPayload = (annotations: JsonObject) =>
    keepInstalledCrd({
      apiVersion: "apiextensions.k8s.io/v1",
      kind: "CustomResourceDefinition",
      metadata: { name: "a", annotations },
      spec: { group: "g", names: { kind: "A", plural: "as" }, versions: [{ name: "v1" }] },
    })?.isFromPayload;
  const own = { "include.release.openshift.io/self-managed-high-availability": "true" };
  const installed: readonly JsonObject[] = [{}, { "exclude.release.openshift.io/a": "true" }, { a: "", ...own }];
  assert.deepEqual(installed.map(isFromPayload), [false, false, true]);
  assert.equal(keepInstalledCrd({ kind: "Other" }), undefined);
});

test("reads objects in the served version in which they are stored, or else in the first", () => {
  const table = { "v1 v2*": "v2", "v1 v2*-": "v1", "v1- v2 v3": "v2", "v1-": undefined };
  for (const [versions, expected] of Object.entries(table))
    assert.equal(findServedVersion(buildCrd(parseVersions(versions))), expected, versions);
});
