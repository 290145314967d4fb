import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, test } from "node:test";
import { checks } from "../../src/checks/index.ts";
import { type JsonObject, textAt } from "../../src/model/json.ts";
import { readCase } from "../../src/cases/case-files.ts";
import { caseFiles } from "../../verify/shared/check-folders.ts";
import { DISCOVERY, CLUSTER_VERSION, FEATURE_GATES, INFRASTRUCTURE, OPERATOR } from "../../src/cases/cluster.ts";
import { formatYaml } from "../../src/encoding/yaml-format.ts";
import { parseCase } from "../../src/cases/parser.ts";
import { withExpect } from "../../src/cases/expectation.ts";

const HEAD = "source: 4.18.5\ntarget: 4.19.2\n";

function cluster(entries: string, source = "4.18.5"): JsonObject {
  return parseCase(`source: ${source}\ntarget: 4.19.2\ncluster:\n${entries}`).cluster;
}

describe("the cluster of a case", () => {
  test("has the default objects of a cluster, at the case's version", () => {
    const defaults = parseCase(HEAD).cluster;
    assert.deepEqual(Object.keys(defaults), [CLUSTER_VERSION, FEATURE_GATES, INFRASTRUCTURE, OPERATOR, DISCOVERY]);
    assert.equal(textAt(defaults, CLUSTER_VERSION, "status", "history", 0, "version"), "4.18.5");
  });

  test("changes and removes defaults", () => {
    const changed = cluster(`  ${INFRASTRUCTURE}: {spec: null, status: {infrastructureTopology: External}}
  ${FEATURE_GATES}: null
  ${OPERATOR}: {error: 403 forbidden}\n`);
    assert.deepEqual(changed[INFRASTRUCTURE], {
      apiVersion: "config.openshift.io/v1",
      kind: "Infrastructure",
      metadata: { name: "cluster" },
      status: { controlPlaneTopology: "HighlyAvailable", infrastructureTopology: "External" },
    });
    assert.deepEqual(changed[FEATURE_GATES], { error: "404 not found" });
    assert.deepEqual(changed[OPERATOR], { error: "403 forbidden" });
  });

  test("adds objects, lists and errors", () => {
    const own = cluster("  /a: {kind: A}\n  /b: [{kind: B}]\n  /c: []\n  /d: {lines: [x 1]}\n  /e: null\n");
    assert.deepEqual(own["/a"], { kind: "A" });
    assert.deepEqual(own["/b"], { items: [{ kind: "B" }] });
    assert.deepEqual(own["/c"], { items: [] });
    assert.deepEqual(own["/d"], { lines: ["x 1"] });
    assert.deepEqual(own["/e"], { error: "404 not found" });
  });

  test("is Kubernetes without OpenShift if the source says so", () => {
    const { cluster: bare } = parseCase("source: {kubernetes: v1.31.4}\ntarget: 1.32.0\n");
    assert.deepEqual(bare["/version"], { gitVersion: "v1.31.4" });
    assert.deepEqual(bare[CLUSTER_VERSION], { error: "404 not found", what: "resource" });
  });

  test("parses YAML as the Kubernetes tools do", () => {
    const { "/a": read } = cluster('  /a: {kind: A, flag: yes, time: 2026-01-01T00:00:00Z, text: "1"}\n');
    assert.deepEqual(read, { kind: "A", flag: true, time: "2026-01-01T00:00:00Z", text: "1" });
  });
});

describe("the target of a case", () => {
  test("has one harmless manifest if the case gives only a version", () => {
    const { release } = parseCase(HEAD);
    assert.deepEqual(Object.keys(release), ["release-metadata", "0000_50_demo_01.yaml"]);
    assert.match(release["release-metadata"] ?? "", /"version":"4.19.2"/);
  });

  test("has the given manifests, and files unchanged", () => {
    const manifests = "[{kind: A}, {kind: B}, {file: bad.yaml, text: 'kind: ['}]";
    const { release } = parseCase(`source: 4.18.5\ntarget: {version: 4.19.2, manifests: ${manifests}}\n`);
    const { "release-metadata": metadata, ...files } = release;
    assert.match(metadata ?? "", /"version":"4.19.2"/);
    assert.deepEqual(files, {
      "0000_50_demo_01.yaml": '{"kind":"A"}',
      "0000_50_demo_02.yaml": '{"kind":"B"}',
      "bad.yaml": "kind: [",
    });
  });
});

describe("refuses an invalid case with", () => {
  const refused: readonly (readonly [string, string, RegExp])[] = [
    ["invalid YAML", "source: [", /^line 1: |^line 2: /],
    ["two documents", `${HEAD}---\n${HEAD}`, /one YAML document/],
    ["an unknown key", `${HEAD}clutser: {}\n`, /^unknown key clutser: a case has source, /],
    ["a duplicate key", `${HEAD}${HEAD}`, /duplicat/],
    ["no source", "target: 4.19.2\n", /^source: give the cluster's version/],
    ["a version that YAML parses as a number", "source: 4.18\ntarget: 4.19.2\n", /^source: give/],
    ["no target", "source: 4.18.5\n", /^target: give the release's version/],
    ["an invalid path", `${HEAD}cluster: {nodes: []}\n`, /^cluster: nodes is no API path/],
    ["an outcome that is not a map", `${HEAD}expect: clear\n`, /^expect holds no map/],
    ["other checks that are not a list", `${HEAD}otherChecks: webhooks\n`, /^otherChecks holds no list/],
  ];
  for (const [what, text, message] of refused) test(what, () => assert.throws(() => parseCase(text), { message }));

  test("a recorded cluster in addition to its own", () => {
    assert.throws(() => parseCase(HEAD, {}), /is all in cluster.json/);
  });
});

describe("a folder of cases", () => {
  test("can contain a recorded cluster, which is read unchanged", () => {
    const check = checks.find(({ id }) => id === "drain-blocked");
    assert.ok(check);
    const recorded = caseFiles(check).filter(({ file }) => file.endsWith("/case.yaml"));
    assert.deepEqual(
      recorded.map(({ name }) => name),
      ["risk-never-allows"],
    );
    const [one] = recorded.map(readCase);
    assert.ok(one);
    assert.equal(textAt(one.cluster, CLUSTER_VERSION, "status", "desired", "version"), "4.18.8");
    assert.ok("/apis/policy/v1/poddisruptionbudgets" in one.cluster);
  });

  test("names the file of a case that can't be read", (t) => {
    const folder = mkdtempSync(join(tmpdir(), "preflight-cases-"));
    t.after(() => rmSync(folder, { recursive: true }));
    const [check] = checks;
    assert.ok(check);
    const bad = join(folder, "bad.yaml");
    writeFileSync(bad, "source: 4.18.5\n");
    assert.throws(() => readCase({ name: "bad", file: bad, check }), { message: `reading ${bad}` });
    mkdirSync(join(folder, "risk-none"));
    const file = join(folder, "risk-none", "case.yaml");
    writeFileSync(file, "target: 4.19.2\n");
    assert.throws(() => readCase({ name: "risk-none", file, check }), { message: `reading ${file}` });
  });
});

describe("UPDATE=1", () => {
  test("writes expect if it is missing", () => {
    assert.equal(withExpect(HEAD, { outcome: "clear" }), `${HEAD}expect:\n  outcome: clear\n`);
    assert.equal(withExpect("target: 4.19.2", { outcome: "clear" }), "target: 4.19.2\nexpect:\n  outcome: clear\n");
  });

  test("keeps comments, order and everything except expect", () => {
    const before = "# Why.\ntarget: 4.19.2 # the first\n";
    const after = "\n# Also why.\nsource: '4.18.5'\ncluster:\n  # No nodes.\n  /api/v1/nodes: [ ]\n";
    const old = "expect:\n  outcome: risk\n\n  findings:\n    - message: |\n        A\n\n        expect: b\n";
    const written = withExpect(`${before}${old}${after}`, { outcome: "notApplicable", reason: "$& is no risk" });
    assert.equal(written, `${before}expect:\n  outcome: notApplicable\n  reason: $& is no risk\n${after}`);
    assert.equal(
      withExpect(`${before}expect: {outcome: risk}`, { outcome: "clear" }),
      `${before}expect:\n  outcome: clear\n`,
    );
  });
});

describe("written YAML", () => {
  test("keeps short values on one line and folds long text", () => {
    const text = "a word ".repeat(30).trim();
    assert.equal(
      formatYaml({
        expect: { outcome: "risk", findings: [{ object: { kind: "A", name: "a" }, path: text }], notices: [] },
      }),
      [
        "expect:",
        "  outcome: risk",
        "  findings:",
        "    - object: {kind: A, name: a}",
        "      path: >-",
        `        ${"a word ".repeat(16).trim()}`,
        `        ${"a word ".repeat(14).trim()}`,
        "  notices: []",
        "",
      ].join("\n"),
    );
  });

  test("has the same value when it is read back", () => {
    const odd = [
      "",
      " ",
      "a: b",
      "# a",
      "on",
      "014",
      "1e3",
      "null",
      "a\nb\n",
      " a\n",
      "a \nb",
      "'\"",
      "{a}",
      "-",
      "é\u0000".slice(0, 1),
      "x".repeat(200),
      "2026-01-01",
      "=",
      "<<",
      "\ta",
      "a  b ".repeat(40),
    ];
    const value = {
      expect: {
        texts: odd,
        nested: Object.fromEntries(odd.map((text) => [text, [text]])),
        numbers: [0, -1.5, 1e21, 2 ** 63],
        flags: [true, false, null],
      },
    };
    assert.deepEqual(parseCase(`${HEAD}${formatYaml(value)}`).expect, value.expect);
  });
});
