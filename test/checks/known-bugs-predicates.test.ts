import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { type PredicateValues, decide } from "../../src/checks/known-bugs/decision.ts";
import { testItem } from "../../src/checks/known-bugs/item-tests.ts";
import { getSteps, valuesAt } from "../../src/checks/known-bugs/paths.ts";
import { type PredicateValue, buildPlan, buildReads } from "../../src/checks/known-bugs/predicate-plan.ts";
import type { Truth } from "../../src/checks/known-bugs/value-tests.ts";
import type { KnownBug, ItemTest, Predicate } from "../../src/checks/known-bugs/known-bug.ts";
import type { Json, JsonObject } from "../../src/model/json.ts";
import { buildResourcePath } from "../../src/model/resource.ts";
import {
  aro,
  buildAnswers,
  csv,
  infrastructure,
  network,
  buildObject,
} from "../support/checks/known-bugs/fake-cluster.ts";

const OBJECT: JsonObject = {
  metadata: { name: "web", labels: { "a.b/c": "d" }, annotations: {} },
  spec: {
    items: [
      { n: 1, of: ["x"] },
      { n: 2, of: ["y", "z"] },
    ],
    map: { one: "1", two: "2" },
    none: null,
    no: false,
  },
};

const PATHS: readonly (readonly [path: string, values: readonly Json[]])[] = [
  ["metadata.name", ["web"]],
  ['metadata.labels."a.b/c"', ["d"]],
  ["spec.items[].n", [1, 2]],
  ["spec.items[].of[]", ["x", "y", "z"]],
  ["spec.items[-1].n", [2]],
  ["spec.map[]", ["1", "2"]],
  ["spec.map[keys]", ["one", "two"]],
  ["spec.none", []],
  ["spec.gone.deeper[]", []],
  ["metadata.name.deeper", []],
  ["metadata.toString", []],
];

test("selects the values at a path, or nothing if part of the path is missing", () => {
  for (const [path, values] of PATHS) assert.deepEqual(valuesAt(OBJECT, path), values, path);
  for (const path of ["a[0]", "a.[", 'a."b', "]"]) assert.throws(() => getSteps(path), /is not a path/);
});

const ITEMS: readonly (readonly [test: ItemTest, item: Json, truth: Truth])[] = [
  [{ at: "a", is: "present" }, { a: "" }, "yes"],
  [{ at: "a", is: "present" }, {}, "no"],
  [{ at: "a", is: "absent" }, { a: null }, "yes"],
  [{ at: "a", is: "absent" }, { a: 0 }, "no"],
  [{ at: "a", is: "nonEmpty" }, { a: [0] }, "yes"],
  [{ at: "a", is: "nonEmpty" }, { a: {} }, "no"],
  [{ at: "a", is: "nonEmpty" }, { a: "" }, "no"],
  [{ at: "a", equals: false }, { a: false }, "yes"],
  [{ at: "a", equals: false }, {}, "no"],
  [{ at: "a[]", oneOf: ["x", "y"] }, { a: ["z", "y"] }, "yes"],
  [{ at: "a", oneOf: ["1"] }, { a: 1 }, "no"],
  [{ at: "a", matches: "^b.d$" }, { a: "bcd" }, "yes"],
  [{ at: "a", matches: "c" }, { a: "bcd" }, "yes"],
  [{ at: "a", matches: "c" }, { a: 7 }, "no"],
  [{ at: "a", atLeast: 3 }, { a: 3 }, "yes"],
  [{ at: "a", atLeast: 3 }, { a: "3" }, "no"],
  [{ at: "a", longerThan: 2 }, { a: "abc" }, "yes"],
  [{ at: "a", longerThan: 3 }, { a: "abc" }, "no"],
  [{ at: "a", family: "IPv6" }, { a: "fd00::/48" }, "yes"],
  [{ at: "a", family: "IPv6" }, { a: "10.0.0.0/8" }, "no"],
  [{ at: "a", family: "IPv4" }, { a: "host" }, "unknown"],
  [{ at: "a", version: { before: "4.2.0-0" } }, { a: "4.1.41" }, "yes"],
  [{ at: "a", version: { before: "4.2.0-0" } }, { a: "4.2.0-rc.1" }, "no"],
  [{ at: "a", version: { from: "4.20.15" } }, { a: "5.0.0" }, "yes"],
  [{ at: "a", version: { from: "4.23.0", before: "5.0.0" } }, { a: "5.0.0-ec.1" }, "yes"],
  [{ at: "a", version: { from: "1.2.0" } }, { a: "v1.2" }, "yes"],
  [{ at: "a", version: { from: "1.2.0" } }, { a: "latest" }, "unknown"],
  [{ items: "a", where: { at: "b", equals: 1 } }, { a: [{ b: 2 }, { b: 1 }] }, "yes"],
  [{ items: "a", where: { at: "b", equals: 1 }, least: 2 }, { a: [{ b: 2 }, { b: 1 }] }, "no"],
  [
    { items: "a", where: { at: "b", version: { before: "2.0.0" } }, least: 2 },
    { a: [{ b: "1.0.0" }, { b: "?" }] },
    "unknown",
  ],
  [{ parsed: "a", as: "json", where: { at: "b", equals: 1 } }, { a: '{"b": 1}' }, "yes"],
  [{ parsed: "a", as: "json", where: { at: "b", equals: 1 } }, { a: "{" }, "unknown"],
  [{ parsed: "a", as: "json", where: { not: { at: "b", equals: 1 } } }, { a: " " }, "no"],
  [{ parsed: "a", as: "yaml", where: { at: "b[]", equals: "c" } }, { a: "b:\n- c\n" }, "yes"],
  [{ parsed: "a", as: "yaml", where: { at: "b", equals: "c" } }, { a: "b: [" }, "unknown"],
  [{ parsed: "a", as: "yaml", where: { at: "b", equals: "c" } }, {}, "no"],
  [{ not: { at: "a", family: "IPv4" } }, { a: "host" }, "unknown"],
  [
    {
      allOf: [
        { at: "a", family: "IPv4" },
        { at: "b", is: "present" },
      ],
    },
    { a: "host" },
    "no",
  ],
  [
    {
      anyOf: [
        { at: "a", family: "IPv4" },
        { at: "a", is: "present" },
      ],
    },
    { a: "host" },
    "yes",
  ],
];

test("tests objects, and is unknown if a value can't be parsed", () => {
  for (const [of, item, truth] of ITEMS)
    assert.equal(testItem(of, item), truth, `${JSON.stringify(of)} of ${JSON.stringify(item)}`);
});

function buildBug(when: Predicate): KnownBug {
  const texts = { title: "t", message: "m", url: "https://example.com" };
  return { id: "one", name: "One", certainty: "risk", published: [], versions: [], when, ...texts };
}

type Cluster = readonly JsonObject[] | "refused";

/** The result of a predicate on a cluster; "refused" fails every read. */
function truthOn(when: Predicate, cluster: Cluster): Truth {
  const plan = buildPlan(buildBug(when));
  if (cluster === "refused") return decide(plan, {}).truth;
  const answers = buildAnswers(cluster);
  const values: PredicateValues = Object.fromEntries(
    buildReads(plan).map(([key, read]): [string, PredicateValue] => {
      const { namespace, name } = read.kind === "get" ? read : {};
      const answer = answers[buildResourcePath(read.resource, namespace, name)];
      const objects = cluster.filter(
        (object) => answer === object || (Array.isArray(answer) && answer.includes(object)),
      );
      if (answer === undefined) return [key, { kind: "absent", what: "object" }];
      const kept = objects.flatMap((object) => read.keep(object) ?? []);
      const [first] = kept;
      return read.kind === "get" && first
        ? [key, { kind: "found", value: first }]
        : [key, { kind: "found", values: kept }];
    }),
  );
  return decide(plan, values).truth;
}

function past(...versions: readonly string[]): JsonObject {
  const history = versions.map((version) => ({ state: "Completed", version }));
  return buildObject("config.openshift.io/v1", "ClusterVersion", "version", {
    status: { history, capabilities: { enabledCapabilities: ["Console"] } },
  });
}

const CONSOLES = buildObject("operator.openshift.io/v1", "Console", "cluster", { spec: { plugins: ["a", "b"] } });
const plugin = (name: string): JsonObject => buildObject("console.openshift.io/v1", "ConsolePlugin", name);
const DANGLING: Predicate = {
  dangling: { get: "operator.openshift.io/v1/consoles", name: "cluster" },
  names: "spec.plugins[]",
  missingIn: "console.openshift.io/v1/consoleplugins",
};
const AZURE: Predicate = { platform: ["Azure"] };

const CASES: readonly (readonly [
  name: string,
  when: Predicate,
  yes: readonly JsonObject[],
  no: readonly JsonObject[],
])[] = [
  [
    "get",
    { get: "v1/namespaces", name: "demo" },
    [buildObject("v1", "Namespace", "demo")],
    [buildObject("v1", "Namespace", "other")],
  ],
  ["each", { each: "v1/nodes", where: { at: "metadata.name", equals: "a" } }, [buildObject("v1", "Node", "a")], []],
  [
    "each, so many",
    { each: "v1/nodes", where: { at: "metadata.name", is: "present" }, least: 2 },
    [buildObject("v1", "Node", "a"), buildObject("v1", "Node", "b")],
    [buildObject("v1", "Node", "a")],
  ],
  ["dangling", DANGLING, [CONSOLES, plugin("a")], [CONSOLES, plugin("a"), plugin("b")]],
  ["platform", AZURE, [infrastructure("Azure")], [infrastructure("AWS")]],
  ["hosted", { hosted: true }, [infrastructure("AWS", "External")], [infrastructure("AWS")]],
  ["not hosted", { hosted: false }, [infrastructure("AWS")], [infrastructure("AWS", "External")]],
  ["aro", { aro: true }, [aro()], []],
  ["networkType", { networkType: ["OVNKubernetes"] }, [network("OVNKubernetes")], [network("Cilium")]],
  ["bornBefore", { bornBefore: "4.2.0-0" }, [past("4.9.1", "4.1.9")], [past("4.9.1", "4.2.0")]],
  ["completed", { completed: { from: "4.9.0", before: "4.10.0-0" } }, [past("4.10.1", "4.9.1")], [past("4.10.0-rc.1")]],
  [
    "capability",
    { capability: "Console" },
    [past("4.12.1")],
    [buildObject("config.openshift.io/v1", "ClusterVersion", "version")],
  ],
  [
    "csv",
    { csv: "demo", before: "1.2.0" },
    [csv("demo.v1.1.0", "1.1.0")],
    [csv("demo.v1.2.0", "1.2.0"), csv("demo.v1.0.0", "1.0.0", "Failed")],
  ],
  ["allOf", { allOf: [AZURE, { aro: true }] }, [infrastructure("Azure"), aro()], [infrastructure("Azure")]],
  ["anyOf", { anyOf: [AZURE, { aro: true }] }, [aro()], [infrastructure("AWS")]],
  ["not", { not: AZURE }, [infrastructure("AWS")], [infrastructure("Azure")]],
];

describe("a predicate of the kind", () => {
  for (const [name, when, yes, no] of CASES) {
    test(`${name} is true, false, and unknown if nothing could be read`, () => {
      assert.equal(truthOn(when, yes), "yes");
      assert.equal(truthOn(when, no), "no");
      assert.equal(truthOn(when, "refused"), "unknown");
    });
  }

  test("always needs no reads", () => assert.equal(truthOn({ always: true }, "refused"), "yes"));
});

test("an operator version that can't be parsed is unknown unless another operator decides", () => {
  const when: Predicate = { csv: "demo", before: "1.2.0" };
  assert.equal(truthOn(when, [csv("demo.v1", "tip")]), "unknown");
  assert.equal(truthOn(when, [csv("demo.v1", "tip"), csv("demo.v1.1.0", "1.1.0")]), "yes");
});

test("a failed read matters only if the other reads don't decide", () => {
  const plan = buildPlan(buildBug({ allOf: [AZURE, { aro: true }] }));
  const [platform = "", operator = ""] = buildReads(plan).map(([key]) => key);
  const ref = { apiVersion: "v1", kind: "Infrastructure", name: "cluster" };
  const of = (truth: Truth): PredicateValue => ({ kind: "found", value: { ref, truth, names: [] } });
  assert.deepEqual(decide(plan, { [platform]: of("no") }).truth, "no");
  assert.deepEqual(decide(plan, { [platform]: of("yes") }).failed, [operator]);
  assert.deepEqual(decide(plan, { [platform]: of("unknown"), [operator]: of("yes") }).unclear, [ref]);
});
