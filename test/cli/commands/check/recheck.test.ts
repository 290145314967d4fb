import assert from "node:assert/strict";
import { mkdtemp, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { before, test } from "node:test";
import { at, isObject, type Json, type JsonObject, listAt, textAt } from "../../../../src/model/json.ts";
import { type ProcessResult, runPreflight } from "../../../../verify/shared/preflight.ts";
import { createTemporaryFolder } from "../../../../verify/shared/temporary-folder.ts";
import { TELLING } from "../../../support/format/outputs.ts";

/** What replaces the fields of a result, or the objects of a recording. */
type Replaced = Readonly<Record<string, Json | undefined>>;
type Change = (before: JsonObject) => Replaced;

const TARGET = ["--target", "demo/release"];
const DEMO = ["--recorded", "demo", ...TARGET];
const BUDGETS = "/apis/policy/v1/poddisruptionbudgets";
const VERSION = "/apis/config.openshift.io/v1/clusterversions/version";
const PLANS = "/apis/storage.example.com/v1/backupplans";
const FOUND =
  "CrdServedVersionRemoved,CustomResourceFieldsFrozen,DrainBlockedByDisruptionBudget,OVNSeveralClusterNetworksBreakPods,OperatorIncompatibleWithNextMinor,CrdSkewUnknown";

const folder = createTemporaryFolder();
let first = "";

before(async () => {
  first = await writeResult("first.json", (await check([...DEMO, "-o", "json"])).out);
});

function check(args: readonly string[]): Promise<ProcessResult> {
  return runPreflight(["check", ...args]);
}

async function writeResult(name: string, text: string): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, text);
  return path;
}

async function changeFile(path: string, change: Change): Promise<string> {
  const value: Json = JSON.parse(await readFile(path, "utf8"));
  assert.ok(isObject(value));
  return JSON.stringify({ ...value, ...change(value) });
}

async function changeFirst(name: string, change: Change): Promise<string> {
  return writeResult(name, await changeFile(first, change));
}

/** The demo's cluster after some work. */
async function record(change: Change): Promise<readonly string[]> {
  const path = await mkdtemp(join(folder, "cluster-"));
  await writeFile(join(path, "cluster.json"), await changeFile("demo/cluster.json", change));
  return ["--recorded", path, ...TARGET];
}

const mendBudgets: Change = () => ({ [BUDGETS]: { items: [] } });

function listStates(out: string): readonly string[] {
  return [...out.matchAll(/^(new|still there|unknown|fixed) +(\w+)/gm)].map(([, state, name]) => `${state} ${name}`);
}

test("says of each risk what became of it, and keeps what was clear with its time", async () => {
  const mended = await record(mendBudgets);
  const { code, out, err } = await check([...mended, "--recheck", first]);
  assert.deepEqual([code, err], [3, ""]);
  assert.match(out, /^Don't update yet\. 4\.17\.20 -> 4\.18\.6: 1 of 5 risks is fixed, 4 still there, 1 check could/);
  assert.deepEqual(listStates(out), [
    "still there OperatorIncompatibleWithNextMinor",
    "still there OVNSeveralClusterNetworksBreakPods",
    "still there CrdServedVersionRemoved",
    "still there CustomResourceFieldsFrozen",
    "unknown CrdSkewUnknown",
    "fixed DrainBlockedByDisruptionBudget",
  ]);
  const earlier: Json = JSON.parse(await readFile(first, "utf8"));
  const observedAt = textAt(earlier, "observedAt") ?? "";
  const clear = listAt(earlier, "checks").filter((one) => textAt(one, "outcome") === "clear").length;
  const time = `${observedAt.slice(0, 10)} ${observedAt.slice(11, 16)} UTC`;
  assert.ok(out.includes(`\n${clear} checks were clear on ${time} and were not run again.\n`), out);
  assert.match(out, /\nDon't update yet\. Next: OperatorIncompatibleWithNextMinor .*\n$/);
  const json: Json = JSON.parse((await check([...mended, "--recheck", first, "-o", "json"])).out);
  assert.equal(at(json, "complete"), false);
  const nodes = listAt(json, "checks").find((one) => textAt(one, "id") === "nodes");
  assert.deepEqual([textAt(nodes, "outcome"), textAt(nodes, "clearAt")], ["unknown", observedAt]);
  const states = listAt(json, "recheck", "risks").map((one) => `${textAt(one, "state")} ${textAt(one, "name")}`);
  assert.ok(states.includes("fixed DrainBlockedByDisruptionBudget"), states.join());
});

test("a risk whose objects are partly mended is still there, with what is left", async () => {
  const mended = await record((cluster) => ({ [PLANS]: { items: listAt(cluster, PLANS, "items").slice(1) } }));
  const { out } = await check([...mended, "--recheck", first, "-o", "markdown"]);
  assert.match(out, /\| still there \| CustomResourceFieldsFrozen \| 1 of 4 objects is mended, left: [^|]+ \|/);
});

test("what is fixed without a run of all checks is never clear, in no format", async () => {
  const mended = await record(mendBudgets);
  for (const format of TELLING) {
    const { code, out } = await check([...mended, "--recheck", first, "--accept", FOUND, "-o", format]);
    assert.equal(code, 4, format);
    assert.match(out, /not run again|left out|LeftOut/, format);
  }
  const table = await check([...mended, "--recheck", first, "--accept", FOUND]);
  assert.match(table.out, /^Not decided\. /);
  assert.match(table.out, /\nNot decided: not every check was run again\. Run all of them: add "--all".*\n$/);
  const all = await check([...mended, "--recheck", first, "--all", "--accept", FOUND]);
  assert.equal(all.code, 0, all.out);
  assert.match(all.out, /^fixed +DrainBlockedByDisruptionBudget/m);
  assert.doesNotMatch(all.out, /not run again/);
});

test("a second look is an earlier result of the third, which keeps the times of both", async () => {
  const earlier = await changeFirst("earlier.json", () => ({ observedAt: "2026-01-03T10:00:00Z" }));
  const mended = await record(mendBudgets);
  const second = join(folder, "second.json");
  await check([...mended, "--recheck", earlier, "-o", `json=${second}`]);
  const { code, out } = await check([...mended, "--recheck", second]);
  assert.equal(code, 3);
  assert.match(out, /: all 4 risks are still there, /);
  assert.match(out, /\n\d+ checks were clear between 2026-01-03 10:00 UTC and \S+ \S+ UTC and were not run again\.\n/);
  assert.doesNotMatch(out, /DrainBlocked/);
});

test("a risk of a check that found nothing before is new, and says what to do", async () => {
  const mended = await record(mendBudgets);
  const earlier = await writeResult("mended.json", (await check([...mended, "-o", "json"])).out);
  const { code, out } = await check([...DEMO, "--recheck", earlier, "--all"]);
  assert.equal(code, 3);
  assert.match(out, /, 1 new, /);
  assert.match(out, /^new +DrainBlockedByDisruptionBudget +shop\/checkout$/m);
  assert.match(out, /\nDrainBlockedByDisruptionBudget: [\s\S]*\n {2}Do {2}/);
  const hidden = await check([...DEMO, "--recheck", earlier]);
  assert.doesNotMatch(hidden.out, /DrainBlocked/);
});

test("what could not be decided now is unknown, not fixed", async () => {
  const unread = await record(() => ({ [BUDGETS]: { error: "Forbidden" } }));
  const skipped = await check([...DEMO, "--recheck", first, "--skip", "drain-blocked", "-o", "markdown"]);
  assert.match(skipped.out, /\| unknown \| DrainBlockedByDisruptionBudget \| drain-blocked was left out; /);
  const { code, out } = await check([...unread, "--recheck", first]);
  assert.equal(code, 3);
  assert.ok(listStates(out).includes("unknown DrainBlockedByDisruptionBudget"), out);
});

test("a check that nobody has any more leaves its risk unknown and the result incomplete", async () => {
  const earlier = await changeFirst("gone.json", (result) => {
    const [risk] = listAt(result, "risks");
    assert.ok(risk !== undefined && isObject(risk));
    return {
      checks: [...listAt(result, "checks"), { id: "zz-gone", outcome: "risk", risks: ["ZzGone"] }],
      risks: [...listAt(result, "risks"), { ...risk, name: "ZzGone" }],
    };
  });
  const { code, out } = await check([...DEMO, "--recheck", earlier, "--all", "--accept", FOUND, "-o", "markdown"]);
  assert.equal(code, 4);
  assert.match(out, /\| unknown \| ZzGone \| zz-gone is not among those of this run \|/);
});

test("what an earlier run had left out stays so, and is said", async () => {
  const earlier = await writeResult("only.json", (await check([...DEMO, "--only", "drain-blocked", "-o", "json"])).out);
  const { code, out } = await check([...(await record(mendBudgets)), "--recheck", earlier]);
  assert.equal(code, 4);
  assert.deepEqual(listStates(out), ["fixed DrainBlockedByDisruptionBudget"]);
  assert.match(out, /^Not decided\. 4\.17\.20 -> 4\.18\.6: 1 risk is fixed\n/);
  assert.match(out, /\n32 checks were left out \(--recheck\) and may have found risks\.\n/);
});

test("a document is an earlier result, too", async () => {
  const document = await writeResult("document.json", (await check([...DEMO, "-o", "preflight-v1-json"])).out);
  const { code, out } = await check([...(await record(mendBudgets)), "--recheck", document]);
  assert.equal(code, 3);
  assert.match(out, /: 1 of 5 risks is fixed, 4 still there, /);
});

test("an earlier result in which nothing is open runs no check, and is not complete", async () => {
  const earlier = await changeFirst("clear.json", (result) => ({
    checks: listAt(result, "checks").map((one) => ({ id: textAt(one, "id") ?? "", outcome: "clear" })),
    risks: [],
    complete: true,
  }));
  const { code, out } = await check([...DEMO, "--recheck", earlier]);
  assert.equal(code, 4);
  assert.match(out, /^Not decided\. 4\.17\.20 -> 4\.18\.6: nothing was open\n/);
});

test("a risk that its check does not know any more is not taken for fixed", async () => {
  const earlier = await changeFirst("renamed.json", (result) => ({
    risks: listAt(result, "risks").map((one) => {
      assert.ok(isObject(one));
      return textAt(one, "name") === "DrainBlockedByDisruptionBudget" ? { ...one, name: "DrainBlockedByOther" } : one;
    }),
    checks: listAt(result, "checks").map((one) => {
      assert.ok(isObject(one));
      return textAt(one, "id") === "drain-blocked" ? { ...one, risks: ["DrainBlockedByOther"] } : one;
    }),
  }));
  await assertRefused(
    [...DEMO, "--recheck", earlier],
    /has the risk DrainBlockedByOther, which drain-blocked does not know here .*: run the whole check/,
  );
});

const OTHERS: readonly (readonly [name: string, change: Replaced, RegExp])[] = [
  ["source", { sourceVersion: "4.17.1" }, /is from when the cluster ran 4\.17\.1, and it runs 4\.17\.20 now/],
  ["digest", { targetDigest: `sha256:${"0".repeat(64)}` }, /is about other manifests of 4\.18\.6: name the target/],
  ["future", { observedAt: "2999-01-01T00:00:00Z" }, /dated 2999-01-01T00:00:00Z, and this clock says/],
  ["kind", { checks: undefined }, /does not say which checks ran: name a file/],
  [
    "end",
    { executionStatus: "failed", complete: false, failure: { reason: "PayloadUnreadable", message: "it broke" } },
    /has no result \(it broke\): run the whole check/,
  ],
  [
    "format",
    { format: "other" },
    /is not a result: format: must be .*; name a file that "preflight check -o json=FILE" wrote/,
  ],
];
for (const [name, change, expected] of OTHERS)
  test(`a result of another ${name} is wrong usage in one line`, async () => {
    await assertRefused([...DEMO, "--recheck", await changeFirst(`${name}.json`, () => change)], expected);
  });

async function assertRefused(args: readonly string[], expected: RegExp): Promise<void> {
  const { code, out, err } = await check(args);
  assert.deepEqual([code, out], [2, ""]);
  assert.match(err, expected);
  assert.match(err, /^preflight: --\w+.*\n$/);
}

test("a result of another target or cluster is wrong usage in one line", async () => {
  await assertRefused(
    ["--recorded", "demo", "--target-version", "4.18.7", "--recheck", first],
    /is about the target 4\.18\.6, and this is 4\.18\.7: name the same target, or run the whole check, without --recheck/,
  );
  const other = await changeFirst("other.json", () => ({ clusterID: "a0000000-0000-4000-8000-000000000000" }));
  const cluster = await record((recording) => {
    const version = at(recording, VERSION);
    assert.ok(version !== undefined && isObject(version));
    return { [VERSION]: { ...version, spec: { clusterID: "b0000000-0000-4000-8000-000000000000" } } };
  });
  await assertRefused([...cluster, "--recheck", other], /is about the cluster a0000000\S+, and this is b0000000/);
  await assertRefused([...cluster, "--recheck", first], /is about a cluster without an ID, and this is b0000000/);
  await assertRefused([...DEMO, "--recheck", other], /is about the cluster a0000000\S+, and this is a cluster without/);
});

test("a file that is cut, empty, missing or a folder is wrong usage in one line", async () => {
  const text = await readFile(first, "utf8");
  for (const [name, content] of [
    ["cut.json", text.slice(0, 3000)],
    ["empty.json", ""],
  ] as const)
    await assertRefused(
      [...DEMO, "--recheck", await writeResult(name, content)],
      /is not a result: document: is .*; name a file/,
    );
  for (const path of [join(folder, "absent.json"), folder])
    await assertRefused([...DEMO, "--recheck", path], /; name a file that "preflight check -o json=FILE" wrote\n$/);
});

const CONFLICTS: readonly (readonly [readonly string[], RegExp])[] = [
  [["--only", "nodes"], /--recheck chooses the checks itself: remove --only/],
  [["--target", "demo/other"], /--recheck is for one target/],
  [["--lifted", "leave"], /--recheck compares all risks: remove --lifted leave/],
];
for (const [args, expected] of CONFLICTS)
  test(`--recheck with ${args.join(" ")} is wrong usage`, () =>
    assertRefused([...DEMO, "--recheck", first, ...args], expected));

test("--all without --recheck is wrong usage", () =>
  assertRefused([...DEMO, "--all"], /--all belongs to --recheck: name the earlier result too/));
