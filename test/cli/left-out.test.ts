import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { at, type Json, listAt, textAt } from "../../src/model/json.ts";
import { runPreflight } from "../../verify/shared/preflight.ts";
import { createTemporaryFolder } from "../../verify/shared/temporary-folder.ts";
import { TELLING } from "../support/format/outputs.ts";

const DEMO = ["check", "--recorded", "demo", "--target", "demo/release"];
const FOUND = [
  "CrdServedVersionRemoved",
  "CustomResourceFieldsFrozen",
  "DrainBlockedByDisruptionBudget",
  "OVNSeveralClusterNetworksBreakPods",
  "OperatorIncompatibleWithNextMinor",
  "CrdSkewUnknown",
];
/** With these, only what was left out keeps the demo cluster from being clear. */
const ACCEPT = ["--accept", FOUND.join(",")];

const folder = createTemporaryFolder();

async function writeConfig(text: string): Promise<string> {
  const path = join(folder, "config.yaml");
  await writeFile(path, text);
  return path;
}

function findCheck(result: Json, id: string): Json | undefined {
  return listAt(result, "checks").find((check) => textAt(check, "id") === id);
}

test("a check that was left out is unknown, has one risk with all others, and keeps the result from being complete", async () => {
  const { code, out } = await runPreflight([...DEMO, ...ACCEPT, "--skip", "nodes,webhooks", "-o", "json"]);
  assert.equal(code, 4);
  const result: Json = JSON.parse(out);
  assert.equal(at(result, "complete"), false);
  for (const id of ["nodes", "webhooks"]) {
    const check = findCheck(result, id);
    assert.deepEqual([textAt(check, "outcome"), textAt(check, "reason")], ["unknown", "LeftOut"]);
    assert.deepEqual(at(check, "risks"), ["PreflightChecksLeftOut"]);
  }
  const risks = listAt(result, "risks").filter((risk) => textAt(risk, "name") === "PreflightChecksLeftOut");
  assert.equal(risks.length, 1);
  assert.match(textAt(risks[0], "message") ?? "", /were left out \(--skip\): nodes, webhooks\./);
});

test("a check that does not apply leaves nothing out", async () => {
  const { code, err } = await runPreflight([...DEMO, ...ACCEPT, "--skip", "certificates-expiring,cgroup-v1"]);
  assert.deepEqual([code, err], [0, ""]);
});

test("--only of checks of which none applies is not clear", async () => {
  const { code, out } = await runPreflight([...DEMO, "--only", "cgroup-v1"]);
  assert.equal(code, 4);
  assert.match(out, /^cgroup-v1 does not apply\. .*\n.*\n\n {2}cgroup-v1: This check concerns a change in 4\.19/);
  assert.match(out, /\n33 checks were left out \(--only\) and may have found risks\.\n/);
  assert.match(out, /\nNot decided: some checks were left out\. Run them too\.\n$/);
});

test("who leaves a check out for good writes down why, and every format tells it", async () => {
  const config = await writeConfig("accept: [{check: nodes, reason: Another team does, until: 9999-12-31}]\n");
  const args = [...DEMO, ...ACCEPT, "--skip", "nodes", "--config", config];
  for (const format of TELLING.filter((name) => name !== "preflight-v1-json")) {
    const { code, out, err } = await runPreflight([...args, "-o", format]);
    assert.deepEqual([format, code, err], [format, 0, ""]);
    assert.match(out.replaceAll(/\s+/g, " "), /Another team does/, format);
    assert.match(out, /9999-12-31/, format);
  }
  const document: Json = JSON.parse((await runPreflight([...args, "-o", "preflight-v1-json"])).out);
  assert.deepEqual(at(findCheck(document, "nodes"), "accepted"), { reason: "Another team does", until: "9999-12-31" });
});

const ENTRIES: readonly (readonly [entry: string, flags: readonly string[], code: number, told: RegExp])[] = [
  ["{check: nodes, reason: r}", [], 0, /nodes was not left out: the entry does nothing without --skip nodes/],
  [
    "{check: nodes, reason: r, until: 2020-01-01}",
    ["--skip", "nodes"],
    4,
    /nodes was accepted until 2020-01-01 and counts/,
  ],
  ["{check: webhooks, reason: r}", ["--skip", "nodes"], 4, /webhooks was not left out/],
  ["{check: nods, reason: r}", ["--skip", "nodes"], 4, /no check has the id nods: did you mean nodes\?/],
];
for (const [entry, flags, expected, told] of ENTRIES)
  test(`accept: ${entry} with ${flags.join(" ") || "every check"}`, async () => {
    const config = await writeConfig(`accept: [${entry}]\n`);
    const { code, err } = await runPreflight([...DEMO, ...ACCEPT, ...flags, "--config", config]);
    assert.equal(code, expected);
    assert.match(err, told);
  });

test("the runner leaves out for good what its --config says, and nothing that a file in its folder says", async () => {
  const config = await writeConfig("accept: [{check: nodes, reason: Another team does}]\n");
  const runner = ["--format=preflight-v1-json", "--interval", "0", "--recorded", "demo", "--target", "demo/release"];
  const run = async (...flags: readonly string[]): Promise<Json> =>
    JSON.parse((await runPreflight([...runner, "--skip", "nodes", ...flags])).out);
  const named = await run("--config", config);
  assert.equal(textAt(findCheck(named, "nodes"), "accepted", "reason"), "Another team does");
  const unnamed = await run();
  assert.deepEqual(at(findCheck(unnamed, "nodes"), "risks"), ["PreflightChecksLeftOut"]);
});

test("an entry whose objects don't match names the risk, and the objects that were found instead", async () => {
  const entry = "{risk: DrainBlockedByDisruptionBudget, reason: r, objects: [PodDisruptionBudget a/b]}";
  const { code, err } = await runPreflight([...DEMO, "--config", await writeConfig(`accept: [${entry}]\n`)]);
  assert.equal(code, 3);
  assert.match(
    err,
    /DrainBlockedByDisruptionBudget was found, but on none of the objects that the entry names \(PodDisruptionBudget a\/b\): it concerns PodDisruptionBudget shop\/checkout\n/,
  );
});
