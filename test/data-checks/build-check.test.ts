import { strict as assert } from "node:assert";
import { describe, test } from "node:test";
import { type DataCheck, buildCheck } from "../../src/data-checks/build-check.ts";
import type { CheckDefinition } from "../../src/data-checks/format/definition.ts";
import { createBudget, createOriginPool, createPoolShare } from "../../src/data-checks/run/limits.ts";
import { type Context, buildContext } from "../../src/model/check.ts";
import { release, version } from "../support/fixtures.ts";
import type { Platform } from "../../src/model/version.ts";

function update(from: string, to: string, platform: Platform = "openshift"): Context {
  return buildContext(version(from), release(to), new Date("2026-01-02T03:04:05Z"), platform);
}

type Spec = Partial<CheckDefinition["spec"]>;

function build(spec: Spec, pool = createOriginPool()): DataCheck {
  const applies = { updates: ["minor"] } as const;
  return buildCheck(
    { metadata: { name: "my-check" }, spec: { title: "T", applies, ...spec } },
    { pool, trust: "named" },
  );
}

const NODE = { apiVersion: "v1", kind: "Node", metadata: { name: "a" }, spec: { size: 3, other: 1 } };
const FOLLOWED: Spec = {
  reads: {
    first: { get: "v1/nodes", name: "a" },
    second: { list: "v1/pods", when: "first.?spec.?size.orValue(0) > 2" },
    other: { list: "v1/namespaces" },
  },
  notices: [{ when: "second.items.size() + other.items.size() == 0", message: "None of ${target.minor}." }],
};

/** What the check keeps of the node, as its reads do. */
function keepFirst(check: DataCheck) {
  const read = check.reads()["first"];
  if (read?.kind !== "get") return assert.fail("there is no such read");
  const kept = read.keep(NODE);
  return { kind: "found", value: kept } as const;
}

describe("a check of data", () => {
  test("has the id, the name and what applies of its definition", () => {
    const { id, name, title, applies } = build({ name: "Mine", applies: { crosses: "4.19" } });
    assert.deepEqual(
      { id, name, title, applies },
      { id: "my-check", name: "Mine", title: "T", applies: { kind: "crosses", minor: "4.19" } },
    );
    const rows: readonly (readonly [CheckDefinition["spec"]["applies"], DataCheck["applies"]])[] = [
      [{ updates: ["patch"] }, { kind: "updates", kinds: ["patch"] }],
      [{ leavesMinor: true }, { kind: "leavesMinor" }],
      [{}, { kind: "updates", kinds: ["patch", "minor", "rollback"] }],
    ];
    for (const [given, expected] of rows) assert.deepEqual(build({ applies: given }).applies, expected);
    assert.equal(build({}).name, "MyCheck");
    assert.deepEqual(
      [build({}).platforms, build({ applies: { platforms: ["kubernetes"] } }).platforms],
      [["openshift"], ["kubernetes"]],
    );
    assert.equal(build({ seenAfterUpdate: "It changes." }).seenAfterUpdate, "It changes.");
  });

  test("reads first what the conditions of others need, and then the others", () => {
    const check = build(FOLLOWED);
    assert.deepEqual([Object.keys(check.reads()), Object.keys(check.mayRead())], [["first"], ["second", "other"]]);
    const context = update("4.18.8", "4.19.3");
    assert.deepEqual(Object.keys(check.follow({ first: keepFirst(check) }, context)), ["second", "other"]);
    const absent = { kind: "absent", what: "object" } as const;
    assert.deepEqual(Object.keys(check.follow({ first: absent }, context)), ["other"]);
  });

  test("reads everything later if nothing has a condition", () => {
    const check = build({ reads: { first: { get: "v1/nodes", name: "a" }, other: { list: "v1/namespaces" } } });
    assert.deepEqual([Object.keys(check.reads()), Object.keys(check.mayRead())], [[], ["first", "other"]]);
    assert.deepEqual(Object.keys(check.follow({}, update("4.18.8", "4.19.3"))), ["first", "other"]);
  });

  test("keeps of an object what its rules use, and what names it", () => {
    const { text } = keepFirst(
      build({ ...FOLLOWED, notices: [{ when: "first.?spec.?size.orValue(0) > 1", message: "M." }] }),
    ).value;
    assert.deepEqual(JSON.parse(text), { apiVersion: "v1", kind: "Node", metadata: { name: "a" }, spec: { size: 3 } });
  });

  test("judges with what it read", () => {
    const check = build(FOLLOWED);
    const list = { kind: "found", values: [] } as const;
    const judge = (context: Context) =>
      check.evaluate({ first: keepFirst(check) }, context, { second: list, other: list });
    assert.deepEqual(judge(update("4.18.8", "4.19.3")).notices, ["None of 4.19."]);
    assert.deepEqual(judge(update("4.18.8", "4.20.3")).notices, ["None of 4.20."]);
  });

  test("is about its versions alone", () => {
    const applies = { updates: ["minor"], versions: [{ first: "4.19.1", last: "4.19.3" }] } as const;
    const check = build({ applies, reads: { other: { list: "v1/namespaces" } }, notices: [{ message: "It is so." }] });
    const list = { kind: "found", values: [] } as const;
    const rows = ["4.19.0", "4.19.1", "4.19.3", "4.19.4"].map((target) => {
      const context = update("4.18.8", target);
      const { notices, notApplicable } = check.evaluate({}, context, { other: list });
      return [target, Object.keys(check.follow({}, context)), notApplicable ?? notices];
    });
    const say = (target: string): string => `This check does not concern an update from 4.18.8 to ${target}.`;
    assert.deepEqual(rows, [
      ["4.19.0", [], say("4.19.0")],
      ["4.19.1", ["other"], ["It is so."]],
      ["4.19.3", ["other"], ["It is so."]],
      ["4.19.4", [], say("4.19.4")],
    ]);
  });

  test("does not apply without what it requires", () => {
    const absent = (what: "object" | "resource") => ({ kind: "absent", what }) as const;
    const named = build({ reads: { a: { get: "config.openshift.io/v1/networks", name: "cluster", required: true } } });
    const listed = build({ reads: { a: { list: "apps.example.com/v1/carts", required: true } } });
    const free = build({ reads: { a: { list: "apps.example.com/v1/carts" } } });
    const rows = [
      [named, "object", "The cluster has no networks.config.openshift.io cluster."],
      [named, "resource", "The API server does not serve networks.config.openshift.io."],
      [listed, "resource", "The API server does not serve carts.apps.example.com."],
      [free, "resource", undefined],
    ] as const;
    for (const [check, what, reason] of rows) {
      const judgement = check.evaluate({}, update("4.18.8", "4.19.3"), { a: absent(what) });
      assert.equal(judgement.notApplicable, reason);
      if (reason !== undefined) assert.deepEqual(judgement.irrelevantReads, ["a"]);
    }
  });

  test("reports a read that failed, although the failure makes it inapplicable", () => {
    const asked = { list: "v1/pods" };
    const required = { get: "v1/nodes", name: "a", required: true as const };
    const byRule = build({
      reads: { asked, other: asked },
      notApplicable: [{ when: "!readable.asked", reason: "No." }],
    });
    const byRead = build({ reads: { asked, other: { ...required, when: "readable.asked" } } });
    for (const check of [byRule, byRead]) {
      const { notApplicable, irrelevantReads } = check.evaluate({}, update("4.18.8", "4.19.3"), {});
      assert.ok(notApplicable !== undefined);
      assert.deepEqual(irrelevantReads, ["other"]);
    }
  });

  test("says that it does not know a minor after the last one that it knows", () => {
    const say = (last: string, target: string) => [
      { reason: "TargetUnknown", where: `release ${target}`, message: `the check knows releases up to ${last}` },
    ];
    const rows: readonly (readonly [string | undefined, Context, readonly object[]])[] = [
      [undefined, update("4.18.8", "4.19.3"), []],
      ["4.19", update("4.18.8", "4.19.3"), []],
      ["4.18", update("4.18.8", "4.19.3"), say("4.18", "4.19")],
      ["1.33", update("1.32.0", "1.33.0", "kubernetes"), []],
      ["1.32", update("1.32.0", "1.33.0", "kubernetes"), say("1.32", "1.33")],
    ];
    for (const [knownUpTo, context, unknowns] of rows) {
      const applies = { updates: ["minor"], ...(knownUpTo === undefined ? {} : { knownUpTo }) } as const;
      assert.deepEqual(build({ applies }).evaluate({}, context, {}).unknowns, unknowns);
    }
    const refused = build({
      applies: { updates: ["minor"], knownUpTo: "4.18" },
      notApplicable: [{ when: "true", reason: "No." }],
    });
    assert.deepEqual(refused.evaluate({}, update("4.18.8", "4.19.3"), {}), {
      notApplicable: "No.",
      irrelevantReads: [],
    });
  });

  test("of this build leaves it to the runner to say of which releases all tables know", () => {
    const applies = { updates: ["minor"], knownUpTo: "4.18" } as const;
    const spec = { title: "T", applies };
    const own = buildCheck({ metadata: { name: "my-check" }, spec });
    assert.deepEqual([own.basis, build(spec).basis], ["table", undefined]);
    assert.deepEqual(own.evaluate({}, update("4.18.8", "4.19.3"), {}).unknowns, []);
  });

  test("with a fault is named with it", () => {
    const check = build({ ...FOLLOWED, variables: [{ name: "a", expression: "nope" }] });
    assert.throws(() => check.mayRead(), {
      message: "check my-check: spec.variables[0].expression: the name nope is not declared",
    });
  });

  test("that costs more than is left says so", () => {
    const check = build(
      { notices: [{ when: "[1, 2, 3].exists(x, x > 2)", message: "M." }] },
      createOriginPool({ cost: 2, kept: 1 }),
    );
    const message = "spec.notices[0].when has no value: it costs too much to evaluate";
    assert.deepEqual(check.evaluate({}, update("4.18.8", "4.19.3"), {}).unknowns, [
      { reason: "CostLimit", where: "check my-check", message },
    ]);
  });
});

describe("what checks may spend", () => {
  test("is that of all checks of an origin together, until the next cycle begins", () => {
    const pool = createOriginPool({ cost: 10, kept: 5 });
    pool.begin("a");
    pool.begin("b");
    pool.spend(4);
    assert.deepEqual([pool.costLeft(), pool.take("other", 5), pool.take("other", 1)], [6, true, false]);
    pool.begin("c");
    assert.equal(pool.costLeft(), 6);
    pool.begin("a");
    assert.deepEqual([pool.costLeft(), pool.take("other", 5), pool.take("other", 1)], [10, true, false]);
  });

  test("is no more than a part of what all have", () => {
    const all = createOriginPool({ cost: 10, kept: 10 });
    const one = createPoolShare(all, { cost: 6, kept: 6 });
    const other = createPoolShare(all, { cost: 6, kept: 6 });
    one.begin("a");
    one.spend(5);
    assert.deepEqual([one.costLeft(), other.costLeft()], [1, 5]);
    assert.deepEqual(
      [one.take("a", 6), one.take("a", 1), other.take("b", 4), other.take("b", 1)],
      [true, false, true, false],
    );
    one.begin("a");
    assert.deepEqual([one.costLeft(), other.costLeft()], [6, 6]);
  });

  test("is 25 million units of cost for a list or a verdict, and 500 million for this build's own", () => {
    const budget = createBudget(createOriginPool());
    const own = createBudget();
    for (const one of [budget, own]) one.spend({ cost: 1, work: 1 });
    assert.deepEqual([budget.left(), own.left()], [24_999_998, 499_999_998]);
    assert.equal(createBudget(createOriginPool({ cost: 7, kept: 1 })).left(), 7);
  });
});
