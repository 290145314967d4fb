import { strict as assert } from "node:assert";
import { test } from "node:test";
import { CLUSTER_FACTS, type FactRead, listMentionedFacts } from "../../src/data-checks/compile/cluster-facts.ts";
import { CHECK_FUNCTIONS, CHECK_MACROS } from "../../src/data-checks/functions/table.ts";
import type { Json } from "../../src/model/json.ts";
import { parseResource } from "../../src/model/resource.ts";
import {
  DYN,
  type Type,
  type CompiledExpression,
  type Evaluation,
  compileObjectExpression,
  evaluateExpression,
  jsonToValue,
  type CelValue,
  OPTIONAL_NONE,
  buildOptional,
} from "../../src/schema/cel/index.ts";
import { formatValue } from "../../src/data-checks/functions/values.ts";

function compile(text: string, variables: readonly string[]): CompiledExpression {
  const compiled = compileObjectExpression(text, {
    variables: variables.map((name) => [name, DYN] as const),
    functions: CHECK_FUNCTIONS,
    macros: CHECK_MACROS,
  });
  return compiled.kind === "fault" ? assert.fail(`${text}: ${compiled.message}`) : compiled;
}

const OBJECTS: Readonly<Record<string, Json>> = {
  infrastructure: { status: { platformStatus: { type: "AWS" }, controlPlaneTopology: "External" } },
  network: { status: { networkType: "OVNKubernetes" } },
  version: {
    status: {
      history: [{ version: "4.20.1" }, { version: "4.18.3" }],
      capabilities: { enabledCapabilities: ["Console"], knownCapabilities: ["Console", "Ingress"] },
    },
  },
  operators: { served: true, items: [{ metadata: { name: "demo.v1.2.3" } }] },
};

function buildValue(name: string, read: FactRead, isAbsent: boolean): CelValue {
  if ("list" in read) return jsonToValue(isAbsent ? { served: false, items: [] } : (OBJECTS[name] ?? null));
  return isAbsent ? OPTIONAL_NONE : buildOptional(jsonToValue(OBJECTS[name] ?? null));
}

/** The value of a fact; in a cluster that has none of its objects with `isAbsent`. */
function evaluate(name: string, isAbsent: boolean): string {
  const { reads, expression } = CLUSTER_FACTS[name] ?? assert.fail(name);
  const values = Object.entries(reads).map(([key, read]) => buildValue(key, read, isAbsent));
  return format(evaluateExpression(compile(expression, Object.keys(reads)), values));
}

function format(evaluation: Evaluation): string {
  return evaluation.kind === "value" ? formatValue(evaluation.value) : `${evaluation.kind}: ${evaluation.text}`;
}

const INFRASTRUCTURE = '{"apiVersion": "config.openshift.io/v1", "kind": "Infrastructure", "name": "cluster"}';
const VALUES: Readonly<Record<string, readonly [value: string, absent: string]>> = {
  platform: ['"AWS"', '""'],
  topology: ['"External"', '""'],
  hosted: ["true", "false"],
  infrastructure: [INFRASTRUCTURE, INFRASTRUCTURE],
  network: ['"OVNKubernetes"', '""'],
  history: ['[{"version": "4.20.1"}, {"version": "4.18.3"}]', "[]"],
  firstVersion: ['"4.18.3"', '""'],
  capabilities: ['["Console"]', "[]"],
  operators: ['[{"metadata": {"name": "demo.v1.2.3"}}]', "[]"],
};

test("each fact has its value, and one in a cluster without its objects", () => {
  assert.deepEqual(
    Object.fromEntries(Object.keys(CLUSTER_FACTS).map((name) => [name, [evaluate(name, false), evaluate(name, true)]])),
    VALUES,
  );
});

test("the type of each fact is that of its expression, as far as that is known", () => {
  for (const [name, { reads, expression, type }] of Object.entries(CLUSTER_FACTS)) {
    const found = compile(expression, Object.keys(reads)).type;
    assert.ok(isWithin(found, type), name);
  }
});

function isWithin(found: Type, declared: Type): boolean {
  if (found.kind === "dyn") return true;
  return (
    found.kind === declared.kind && found.parameters.every((one, i) => isWithin(one, declared.parameters[i] ?? DYN))
  );
}

test("one key always stands for the same read of a resource", () => {
  const reads = Object.values(CLUSTER_FACTS).flatMap((fact) => Object.entries(fact.reads));
  for (const [key, read] of reads) {
    assert.equal(read, reads.find(([one]) => one === key)?.[1]);
    assert.ok(parseResource("list" in read ? read.list : read.get).resource !== "");
  }
});

test("operators are those that succeeded, without OLM's copies", () => {
  const read = CLUSTER_FACTS["operators"]?.reads["operators"] ?? assert.fail();
  const where = compile("where" in read ? read.where : "", ["object"]);
  const isKept = (phase: string, labels?: Readonly<Record<string, string>>): string =>
    format(
      evaluateExpression(where, [
        jsonToValue({ metadata: { name: "a", ...(labels && { labels }) }, status: { phase } }),
      ]),
    );
  assert.equal(isKept("Succeeded"), "true");
  assert.equal(isKept("Succeeded", { app: "a" }), "true");
  assert.equal(isKept("Installing"), "false");
  assert.equal(isKept("Succeeded", { "olm.copiedFrom": "operators" }), "false");
});

test("the facts that rules name are found however they are written", () => {
  const written = [
    "cluster.hosted",
    "cluster.?network",
    "cluster\n  .topology",
    "cluster . platform",
    "mycluster.history",
  ];
  assert.deepEqual(listMentionedFacts({ written }), ["platform", "topology", "hosted", "network"]);
});
