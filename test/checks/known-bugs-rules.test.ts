import assert from "node:assert/strict";
import { test } from "node:test";
import { KNOWN_BUGS } from "../../src/checks/known-bugs/check.ts";
import type { KnownBug } from "../../src/checks/known-bugs/known-bug.ts";
import {
  type BugDecision,
  type BugResults,
  decide,
  listPossibleReads,
  listReads,
} from "../../src/checks/known-bugs/rules.ts";
import { buildContext } from "../../src/model/check.ts";
import type { JsonObject } from "../../src/model/json.ts";
import { getReadPath, type Reads } from "../../src/model/read.ts";
import { buildResourcePath, formatRef } from "../../src/model/resource.ts";
import { buildAnswers, buildObject, csv, infrastructure, node } from "../../verify/fixes/known-bugs/fake-cluster.ts";
import { release, version } from "../support/fixtures.ts";

const CONTEXT = buildContext(version("4.19.1"), release("4.20.1"), new Date(0));

function buildBug(rules: Pick<KnownBug, "reads" | "variables" | "findings">): KnownBug {
  const texts = { title: "Demo", message: "Demo", url: "https://issues.redhat.com/browse/DEMO-1" };
  return { id: "demo", name: "DemoFails", certainty: "risk", published: [], versions: [], ...rules, ...texts };
}

/** The decision for a cluster, of which the reads of some resources fail. */
function judge(bug: KnownBug, objects: readonly JsonObject[], ...failing: readonly string[]): string {
  const answers = buildAnswers(objects);
  const results: BugResults = Object.fromEntries(
    Object.entries(listReads(bug, CONTEXT))
      .filter(([, { resource }]) => !failing.includes(resource.resource))
      .map(([key, read]) => {
        const { namespace, name } = read.kind === "get" ? read : {};
        const answer = answers[buildResourcePath(read.resource, namespace, name)];
        const kept = objects
          .filter((object) => answer === object || (Array.isArray(answer) && answer.includes(object)))
          .flatMap((object) => read.keep(object) ?? []);
        const [first] = kept;
        if (answer === undefined) return [key, { kind: "absent", what: "object" }];
        return [key, read.kind === "get" && first ? { kind: "found", value: first } : { kind: "found", values: kept }];
      }),
  );
  return format(decide(bug, CONTEXT, results));
}

function format(decision: BugDecision): string {
  if (decision.kind === "yes") return `yes: ${decision.objects.map(formatRef).join(", ")}`;
  if (decision.kind === "no") return "no";
  return `unknown: ${[...decision.failed, ...decision.unknowns.map(({ where }) => where)].join(", ")}`;
}

test("every entry's expressions compile, and use the reads that it declares", () => {
  for (const bug of KNOWN_BUGS) {
    const keys = Object.keys(listReads(bug, CONTEXT)).filter((key) => !key.startsWith("@"));
    assert.deepEqual(keys, Object.keys(bug.reads ?? {}), bug.id);
    const text = JSON.stringify([bug.variables, bug.findings]);
    for (const key of keys) assert.match(text, new RegExp(`\\b${key}\\b`), `${bug.id} does not use ${key}`);
  }
});

test("the reads of an entry are known before its expressions are compiled", () => {
  const list = (reads: Reads): readonly string[] =>
    Object.entries(reads).map(([key, read]) => `${key} ${getReadPath(read)} ${read.annotations?.join() ?? ""}`);
  for (const bug of KNOWN_BUGS)
    assert.deepEqual(list(listPossibleReads(bug)).toSorted(), list(listReads(bug, CONTEXT)).toSorted(), bug.id);
  const faulty = buildBug({ reads: { nodes: { list: "v1/nodes" } }, findings: [{ forEach: "nodes.itms" }] });
  assert.deepEqual(Object.keys(listPossibleReads(faulty)), ["nodes"]);
  assert.throws(() => listReads(faulty, CONTEXT), /check demo: .*there is no field itms/);
});

test("no entry needs a field that an object may lack", () => {
  for (const bug of KNOWN_BUGS) {
    const results: BugResults = Object.fromEntries(
      Object.entries(listReads(bug, CONTEXT)).map(([key, read]) => {
        const kept = read.keep(buildObject("v1", "Any", "demo/any"));
        if (read.kind === "get")
          return [key, kept ? { kind: "found", value: kept } : { kind: "absent", what: "object" }];
        return [key, { kind: "found", values: kept ? [kept] : [] }];
      }),
    );
    assert.notEqual(decide(bug, CONTEXT, results).kind, "unknown", bug.id);
  }
});

test("without findings, the target alone decides for the cluster as a whole", () => {
  assert.equal(judge(buildBug({}), []), "yes: ClusterVersion version");
  assert.equal(judge(buildBug({ findings: [{ when: "cluster.hosted" }] }), [infrastructure("AWS")]), "no");
});

const NODES = buildBug({
  reads: {
    nodes: { list: "v1/nodes", where: 'object.metadata.name.startsWith("a")' },
    config: { get: "config.openshift.io/v1/nodes", name: "cluster" },
  },
  findings: [
    { forEach: "nodes.items", when: 'cluster.platform == "AWS"' },
    { when: 'config.?spec.?cgroupMode.orValue("") == "v1"', object: "config" },
  ],
});
const CGROUPS = buildObject("config.openshift.io/v1", "Node", "cluster", { spec: { cgroupMode: "v1" } });

test("the objects of all findings are named, and what is found decides although other reads failed", () => {
  const cluster = [infrastructure("AWS"), node("a"), node("b"), CGROUPS];
  assert.equal(judge(NODES, cluster), "yes: Node a, nodes.config.openshift.io cluster");
  assert.equal(judge(NODES, cluster, "infrastructures"), "yes: nodes.config.openshift.io cluster");
  assert.equal(judge(NODES, [infrastructure("AWS"), node("b")]), "no");
});

test("a failed read matters only if the others don't decide", () => {
  assert.equal(judge(NODES, [infrastructure("Azure"), node("a")], "infrastructures"), "unknown: @infrastructure");
  assert.equal(judge(NODES, [infrastructure("AWS")], "nodes"), "unknown: nodes, config");
  assert.equal(judge(NODES, [infrastructure("Azure")], "nodes"), "unknown: config");
  const [onNodes = {}] = NODES.findings ?? [];
  const bug = { ...NODES, findings: [onNodes] };
  assert.equal(judge(bug, [infrastructure("Azure")], "nodes"), "no");
  assert.equal(judge(bug, [], "nodes", "infrastructures"), "unknown: @infrastructure, nodes");
  assert.equal(judge(bug, [], "infrastructures"), "no");
});

test("a value that can't be parsed is told with its object, unless another one decides", () => {
  const when = 'object.metadata.name.startsWith("demo.") && version(object.spec.version).isLessThan(version("1.2"))';
  const operators = buildBug({ findings: [{ forEach: "cluster.operators", when }] });
  const odd = csv("demo.v1", "tip");
  assert.equal(judge(operators, [odd]), "unknown: ClusterServiceVersion operators/demo.v1");
  assert.equal(
    judge(operators, [odd, csv("demo.v1.1.0", "1.1.0")]),
    "yes: ClusterServiceVersion operators/demo.v1.1.0",
  );
  assert.equal(judge(operators, [csv("other.v1", "tip"), csv("demo.v1.2.0", "1.2.0")]), "no");
  const history = { status: { history: [{ state: "Completed", version: "soon" }] } };
  const past = buildObject("config.openshift.io/v1", "ClusterVersion", "version", history);
  const born = buildBug({ findings: [{ when: 'cluster.history.beganBefore("4.8.0-0")' }] });
  assert.equal(judge(born, [past]), "unknown: ClusterVersion version");
});
