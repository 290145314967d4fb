import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdtemp, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { before, test } from "node:test";
import { EXECUTABLE, runPreflight, spawnPreflight } from "../../../../verify/shared/preflight.ts";
import { createTemporaryFolder } from "../../../../verify/shared/temporary-folder.ts";

const DEMO = ["check", "--recorded", "demo", "--target", "demo/release"];
const folder = createTemporaryFolder();
let old = "";

before(async () => {
  old = join(folder, "old.json");
  const { out } = await runPreflight([...DEMO, "-o", "json"]);
  await writeFile(old, out);
});

/** The demo's result with a cluster that has one object less, or more. */
async function checkChangedDemo(name: string, change: (cluster: Record<string, unknown>) => void): Promise<string> {
  const cluster = JSON.parse(await readFile("demo/cluster.json", "utf8"));
  change(cluster);
  const recorded = await mkdtemp(join(folder, "cluster-"));
  await writeFile(join(recorded, "cluster.json"), JSON.stringify(cluster));
  const { out } = await runPreflight(["check", "--recorded", recorded, "--target", "demo/release", "-o", "json"]);
  const file = join(folder, name);
  await writeFile(file, out);
  return file;
}

const BUDGETS = "/apis/policy/v1/poddisruptionbudgets";

/** What the demo's check could not read. */
const UNREAD = ["--accept", "CrdSkewUnknown"];

test("a result is no worse than itself, but is not complete unless what it lacks is accepted", async () => {
  const open = await runPreflight(["compare", old, old]);
  assert.deepEqual([open.code, open.err], [4, ""]);
  assert.match(open.out, /^.*old\.json:\sThe\sresult\shas\sno\sverdict\sof\scrd-skew\.$/m);
  assert.match(open.out, /No risk is worse than before, but the new result is not complete\.\n$/);
  const { code, out, err } = await runPreflight(["compare", old, old, ...UNREAD]);
  assert.deepEqual([code, err], [0, ""]);
  assert.match(out, /Nothing is worse than before\.\n$/);
});

test("a mended fault is gone, and its return is new", async () => {
  const mended = await checkChangedDemo("mended.json", (cluster) => (cluster[BUDGETS] = { items: [] }));
  const better = await runPreflight(["compare", old, mended, ...UNREAD]);
  assert.equal(better.code, 0, better.out);
  assert.match(better.out, /\nGone\n\n {2}DrainBlockedByDisruptionBudget \(gets the update stuck\)\n/);
  const worse = await runPreflight(["compare", mended, old]);
  assert.equal(worse.code, 3);
  assert.match(worse.out, /\nNew\n\n {2}DrainBlockedByDisruptionBudget .*\n {4}PodDisruptionBudget shop\/checkout/);
  const codes = await Promise.all(
    [
      ["--accept", "DrainBlockedByDisruptionBudget,CrdSkewUnknown"],
      ["--fail-on", "never"],
    ].map(async (args) => (await runPreflight(["compare", mended, old, ...args])).code),
  );
  assert.deepEqual(codes, [0, 0]);
});

test("a read that fails now makes nothing gone", async () => {
  const blind = await checkChangedDemo("blind.json", (cluster) => (cluster[BUDGETS] = { error: "403 forbidden" }));
  const { code, out } = await runPreflight(["compare", old, blind]);
  assert.equal(code, 4, out);
  assert.match(
    out,
    /No longer known\n\n {2}drain-blocked\n {4}Accept as DrainBlockedUnknown\.\n {4}poddisruptionbudgets\.policy: /,
  );
  assert.doesNotMatch(out, /\nGone\n/);
  assert.equal((await runPreflight(["compare", old, blind, "--fail-on", "risk"])).code, 0);
});

test("a result comes from stdin, as markdown or JSON goes out", async () => {
  const markdown = await runWithInput(["compare", old, "-", "-o", "markdown"], await readFile(old, "utf8"));
  assert.match(markdown, /^# .*old\.json` -> stdin: /);
  const json = JSON.parse(await runWithInput(["compare", "-", old, "-o", "json"], await readFile(old, "utf8")));
  assert.deepEqual([json.format, json.old.name, json.isWorse], ["preflight-comparison-v1-json", "stdin", false]);
});

function runWithInput(args: readonly string[], input: string): Promise<string> {
  const child = spawn(process.execPath, [EXECUTABLE, ...args], { stdio: ["pipe", "pipe", "inherit"] });
  let out = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (out += text));
  child.stdin.end(input);
  return new Promise((resolve) => child.on("close", () => resolve(out)));
}

test("files that are no results are refused in one line that quotes nothing of them", async () => {
  const secret = join(folder, "secret.txt");
  await writeFile(secret, "password: hunter2\n");
  const plan = join(folder, "plan.json");
  await writeFile(plan, JSON.stringify({ format: "preflight-plan-v1-json" }));
  const faults: readonly (readonly [args: readonly string[], code: number, fault: RegExp])[] = [
    [[old, secret], 1, /secret\.txt is not a result: document: is not JSON( \(.*\))?; name a file that [^;]*\n$/],
    [
      [old, plan],
      1,
      /plan\.json is not a result: format: must be "preflight-v1-json", not "preflight-plan-v1-json"; name a file [^;]*\n$/,
    ],
    [[old, join(folder, "absent.json")], 1, /reading .*absent\.json: it does not exist; name a file that/],
    [["-", "-"], 2, /only one of OLD and NEW can be stdin\n$/],
    [[old], 2, /^preflight: .*; see 'preflight help compare'\n$/],
  ];
  for (const [args, code, fault] of faults) {
    const result = await (args.includes("-") ? spawnPreflight : runPreflight)(["compare", ...args]);
    assert.deepEqual([result.code, result.out], [code, ""]);
    assert.match(result.err, fault);
    assert.doesNotMatch(result.err, /hunter2/);
  }
});
