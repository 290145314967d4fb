import assert from "node:assert/strict";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { before, test } from "node:test";
import { parseObject } from "../../../../src/model/json.ts";
import { writeDemoRelease } from "../../../support/cli/demo-release.ts";
import { buildRecordedSource } from "../../../support/must-gather/sources.ts";
import { writeMustGather } from "../../../support/must-gather/writer.ts";
import { runPreflight } from "../../../../verify/shared/preflight.ts";
import { createTemporaryFolder } from "../../../../verify/shared/temporary-folder.ts";

const folder = createTemporaryFolder();
before(async () => {
  await writeDemoRelease(join(folder, "4.19.4"), "4.19.4");
});

const playbook = (...args: readonly string[]) => runPreflight(["playbook", "--recorded", "demo", ...args]);

test("a playbook follows the plan's route, and is the same at every run", async () => {
  const args = ["--to", "4.19", "--release", "demo/release", "--release", join(folder, "4.19.4")];
  const first = await playbook(...args);
  const second = await playbook(...args);
  assert.deepEqual([first.code, first.err], [0, ""]);
  assert.equal(second.out, first.out);
  const headings = first.out.split("\n").filter((line) => /^#{1,3} /.test(line));
  assert.deepEqual(headings, [
    "# Update from 4.17.20 to 4.19.4",
    "## Step 1: 4.17.20 to 4.18.6",
    "### Before step 1",
    "### Step 1",
    "### After step 1",
    "## Step 2: 4.18.6 to 4.19.4",
    "### Before step 2",
    "### Step 2",
    "### After step 2",
    "## What may be accepted, and what that means",
  ]);
  assert.match(first.out, /#### Acknowledgements\n\n- \[ \] \*\*AdminAckMissingOnTheWay\*\*/);
  assert.match(first.out, /\n {4}oc -n shop patch poddisruptionbudget\.policy\/checkout --type=merge -p /);
  assert.match(
    first.out,
    /`preflight plan --to 4\.19 --release demo\/release --release \S+ --only drain-blocked --fail-on risk`/,
  );
  assert.doesNotMatch(first.out, /\d\d:\d\d:\d\d/);
});

test("a target that was given is one step, and says if that is not the whole way", async () => {
  const { code, out } = await playbook("--target", "demo/release", "--accept", "DrainBlockedByDisruptionBudget");
  assert.equal(code, 0);
  assert.match(out, /\| 1 \| 4\.17\.20 to 4\.18\.6 \| not read \| 4 risks to fix, 1 accepted, 1 check incomplete \|/);
  assert.match(out, /\n#### Accepted\n\n- DrainBlockedByDisruptionBudget: /);
  assert.doesNotMatch(out, /This is not the whole way/);
  const far = await playbook("--target-version", "4.19.4", "--only", "etcd-health");
  assert.match(far.out, /\*\*This is not the whole way:\*\* 4\.18 lies between, .*`preflight playbook --to 4\.19\.4`/);
});

test("a playbook names the command that writes it, and commands that check it, with all that decided on it", async () => {
  const folders = ["--release", "demo/release", "--release", join(folder, "4.19.4")];
  const flags = [
    "--skip",
    "etcd-health,nodes",
    "--accept",
    "KubeletSkew",
    "--no-unknown-risks",
    "--check-timeout",
    "90s",
  ];
  const { out } = await playbook("--to", "4.19", ...folders, ...flags, "--concurrency", "2");
  const way = `--to 4.19 --release demo/release --release ${join(folder, "4.19.4")} --accept KubeletSkew`;
  const skip = "--skip etcd-health --skip nodes";
  const rest = "--no-unknown-risks --check-timeout 90s";
  assert.ok(out.includes(`Written by \`preflight playbook ${way} ${skip} ${rest}\`: run it again`), out.slice(0, 500));
  assert.ok(out.includes(`\`preflight plan ${way} ${rest} --only drain-blocked --fail-on risk\``));
  assert.ok(out.includes(`preflight plan ${way} ${skip} ${rest}\n`), "the rest of the way");
});

test("a playbook needs one target", async () => {
  const none = await playbook();
  assert.deepEqual([none.code, none.out], [2, ""]);
  assert.match(none.err, /no target was given: set a version with --to, or a folder with --target\n$/);
  const two = await playbook("--to", "4.18", "--target", "demo/release");
  assert.deepEqual([two.code, two.out], [2, ""]);
  const absent = await playbook("--target", join(folder, "absent"));
  assert.deepEqual([absent.code, absent.out], [1, ""]);
});

test("an archive is judged as of when it was taken, whatever names the target", async () => {
  const archive = join(folder, "archive");
  const config = join(folder, "config.yaml");
  await mkdir(archive);
  const source = buildRecordedSource(parseObject(await readFile("demo/cluster.json", "utf8")) ?? {});
  const endedAt = new Date("2020-01-01T00:00:00Z");
  await writeMustGather(source, archive, { startedAt: endedAt, endedAt, namespaces: source.namespaces });
  await writeFile(config, "accept: [{risk: OVNSeveralClusterNetworksBreakPods, reason: ours, until: 2020-01-02}]\n");
  for (const target of [
    ["--target", "demo/release"],
    ["--to", "4.18.6", "--release", "demo/release"],
  ]) {
    const { out, err } = await runPreflight(["playbook", "--must-gather", archive, ...target, "--config", config]);
    assert.doesNotMatch(err, /until 2020-01-02/);
    assert.match(out, /\n#### Accepted\n\n- OVNSeveralClusterNetworksBreakPods: /, err);
  }
});

test("a playbook is a page too, with the same work", async () => {
  const page = join(folder, "update.html");
  const { code, out, err } = await playbook("--target", "demo/release", "-o", `html=${page}`);
  assert.deepEqual([code, err], [0, ""]);
  const names = [...out.matchAll(/^- \[ \] \*\*(\w+)\*\*/gm)].map(([, name]) => name);
  assert.equal(names.length, 5);
  const html = await readFile(page, "utf8");
  for (const name of names) assert.match(html, new RegExp(`type="checkbox" aria-label="${name} is done"`));
});
