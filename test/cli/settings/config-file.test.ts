import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { isObject, listAt, type Json, textAt } from "../../../src/model/json.ts";
import { runPreflight } from "../../../verify/shared/preflight.ts";
import { createTemporaryFolder } from "../../../verify/shared/temporary-folder.ts";

const DEMO = ["check", "--recorded", "demo", "--target", "demo/release"];

const folder = createTemporaryFolder();

async function writeConfig(text: string): Promise<string> {
  const path = join(folder, "config.yaml");
  await writeFile(path, text);
  return path;
}

test("an accepted risk is shown with its reason and its last day, and does not count", async () => {
  const config = await writeConfig(`
accept:
- {risk: DrainBlockedByDisruptionBudget, reason: The shop scales up first, until: "9999-12-31"}
settings: {only: [drain-blocked], fail-on: risk}
`);
  const { code, out, err } = await runPreflight([...DEMO, "--config", config]);
  assert.deepEqual([code, err], [0, ""]);
  assert.match(out, /: drain-blocked found 1 risk \(accepted\)\n/);
  assert.match(
    out,
    /\nAccepted\n\n {2}- DrainBlockedByDisruptionBudget \(1 object\): Accepted until 9999-12-31: The shop scales/,
  );
});

test("-o json says what became of each entry", async () => {
  const config = await writeConfig(`
accept:
- {risk: DrainBlockedByDisruptionBudget, reason: known, objects: [PodDisruptionBudget shop/other, PodDisruptionBudget shop/checkout]}
- {risk: CrdRefused, reason: known}
- {risk: OperatorIncompatibleWithNextMinor, reason: known, until: "2020-01-01"}
`);
  const { code, out, err } = await runPreflight([...DEMO, "-o", "json", "--config", config]);
  assert.equal(code, 3);
  const json: Json = JSON.parse(out);
  assert.ok(isObject(json));
  const states = listAt(json, "acceptances").map((one) => [textAt(one, "risk"), textAt(one, "state")]);
  assert.deepEqual(states, [
    ["CrdRefused", "unmatched"],
    ["DrainBlockedByDisruptionBudget", "accepted"],
    ["OperatorIncompatibleWithNextMinor", "lapsed"],
  ]);
  assert.match(err, /accept: OperatorIncompatibleWithNextMinor was accepted until 2020-01-01 and counts again/);
  assert.match(err, /accept: CrdRefused accepts nothing that was found/);
});

test("flags and variables come before the file's settings", async () => {
  const config = await writeConfig("settings: {only: drain-blocked, output: json}\n");
  const flag = await runPreflight([...DEMO, "--config", config, "-o", "table"]);
  assert.match(flag.out, /^Don't update yet\. 4\.17\.20 -> 4\.18\.6/);
  const variable = await runPreflight([...DEMO, "--config", config, "-o", "table"], { PREFLIGHT_ONLY: "etcd-health" });
  assert.doesNotMatch(variable.out, /DrainBlocked/);
});

const WRONG: readonly (readonly [string, RegExp])[] = [
  ["accept: [{risk: CrdRefused}]", /accept\[0\]\.reason: is missing/],
  [
    "accept: [{risk: CrdRefused, reason: x, until: tomorrow}]",
    /accept\[0\]\.until: must be the last day on which it holds, such as 2026-12-31, not "tomorrow"/,
  ],
  ["acept: []", /"acept" is not a key: did you mean accept\?/],
  ["accept: [{risk: A, reason: x, objcts: [a]}]", /"objcts" is not a key of accept\[0\]: did you mean objects\?/],
  ["accept: [{reason: x}]", /accept\[0\]: must name either a risk or a check/],
  ["accept: [{check: nodes, risk: A, reason: x}]", /accept\[0\]: must name either a risk or a check/],
  ["accept: [{check: nodes, reason: x, objects: [a]}]", /accept\[0\]\.objects: belongs to a risk, not to a check/],
  ["settings: {timeout: 3}", /no setting is called "timeout"/],
  ["settings: {concurency: 3}", /no setting is called "concurency": did you mean concurrency\?/],
  ["settings: {quiet: perhaps}", /setting "quiet" must be a boolean/],
  ["a: [", /is not valid YAML/],
  ["- a", /must be object/],
  ["---\na: 1\n---\nb: 1\n", /more than one YAML document/],
];
for (const [text, expected] of WRONG)
  test(`a configuration is refused: ${text.slice(0, 50)}`, async () => {
    const { code, out, err } = await runPreflight([...DEMO, "--config", await writeConfig(text)]);
    assert.deepEqual([code, out], [2, ""]);
    assert.match(err, expected);
  });

test("a configuration that does not exist is wrong usage", async () => {
  const { code, err } = await runPreflight([...DEMO, "--config", join(folder, "none.yaml")]);
  assert.equal(code, 2);
  assert.match(err, /none\.yaml can't be read: it does not exist; correct --config/);
});
