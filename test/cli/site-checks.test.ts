import assert from "node:assert/strict";
import { hash } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, describe, test } from "node:test";
import type { Client } from "@modelcontextprotocol/client";
import { at, type Json, listAt, textAt } from "../../src/model/json.ts";
import { CHECKS_FOLDER } from "../../src/model/check-origin.ts";
import { connect } from "../support/cli/mcp-client.ts";
import { buildSiteCheck } from "../support/cli/site-check.ts";
import { runPreflight } from "../../verify/shared/preflight.ts";
import { createTemporaryFolder } from "../../verify/shared/temporary-folder.ts";

const DEMO = ["--recorded", "demo", "--target", "demo/release"];
const folder = createTemporaryFolder("site-checks");
const own = write("own/nodes.yaml", buildSiteCheck("frozen-nodes"));
const faulty = write("faulty/nodes.yaml", buildSiteCheck("frozen-nodes").replace("remediation:", "remedation:"));

function write(name: string, text: string): string {
  const path = join(folder, name);
  mkdirSync(join(path, ".."), { recursive: true });
  writeFileSync(path, text);
  return path;
}

const DIGEST = `sha256:${hash("sha256", readFileSync(own))}`;

function findCheck(result: Json, id: string): Json | undefined {
  return listAt(result, "checks").find((check) => textAt(check, "id") === id);
}

test("a check of --checks runs beside the others and says which file it is from", async () => {
  const { code, out, err } = await runPreflight(["check", ...DEMO, "--checks", join(own, ".."), "-o", "json"]);
  assert.deepEqual([code, err], [3, ""]);
  const result: Json = JSON.parse(out);
  const check = findCheck(result, "site-frozen-nodes");
  assert.deepEqual(at(check, "origin"), { kind: "site", file: own, digest: DIGEST });
  assert.deepEqual(at(check, "judged"), { nodes: 5 });
  assert.deepEqual([textAt(check, "outcome"), listAt(check, "findings").length], ["risk", 3]);
  const risk = listAt(result, "risks").find((one) => textAt(one, "name") === "SiteNodeFrozen");
  assert.ok(textAt(risk, "message")?.startsWith(`From the administrator's check ${own}: `));
  assert.ok(listAt(result, "checks").length > 30);
});

test("a file that can't be loaded or read is unknown, and stderr says where", async () => {
  const large = write("faulty/large.yaml", "#".repeat(64 * 1024 + 1));
  const only = ["--only", "site-frozen-nodes,site-checks"];
  const { code, out, err } = await runPreflight([
    "check",
    ...DEMO,
    "--checks",
    join(faulty, ".."),
    ...only,
    "-o",
    "json",
  ]);
  assert.equal(code, 4);
  const lines = err.split("\n");
  assert.equal(lines[0], `${large}:1:1: it has more than 64 KiB`);
  assert.ok(lines.includes(`${faulty}:16:7: spec.risks[0].remedation: remedation is not a field here`));
  assert.match(err, /\^{10} did you mean remediation\?/);
  const result: Json = JSON.parse(out);
  assert.equal(at(result, "complete"), false);
  for (const id of ["site-frozen-nodes", "site-checks"])
    assert.deepEqual(textAt(findCheck(result, id), "reason"), "CheckInvalid", id);
});

const REFUSED: readonly (readonly [args: readonly string[], message: string])[] = [
  [
    ["--checks", join(folder, "absent")],
    `--checks ${join(folder, "absent")} does not exist: name a file with checks, or its folder`,
  ],
  [["--checks", own, "--checks", "docs/runbooks"], "--checks docs/runbooks has no file *.yaml"],
  [
    ["--checks", own, "--skip", "site-frozen-node"],
    'no check has the id "site-frozen-node": did you mean site-frozen-nodes?',
  ],
];
for (const [args, message] of REFUSED)
  test(`wrong usage: ${message.slice(0, 30)}`, async () => {
    assert.deepEqual(await runPreflight(["check", ...DEMO, ...args]), {
      code: 2,
      signal: null,
      out: "",
      err: `preflight: ${message}\n`,
    });
  });

test("the folder of a pod's ConfigMap may be absent", async () => {
  assert.equal((await runPreflight(["list"], { PREFLIGHT_CHECKS: CHECKS_FOLDER })).code, 0);
});

test("--skip, --accept and --only know its names", async () => {
  const checks = ["check", ...DEMO, "--checks", own];
  const skipped = await runPreflight([...checks, "--skip", "site-frozen-nodes", "-o", "json"]);
  assert.equal(textAt(findCheck(JSON.parse(skipped.out), "site-frozen-nodes"), "reason"), "LeftOut");
  const misspelt = await runPreflight([...checks, "--only", "site-frozen-nodes", "--accept", "SiteNodeFrosen"]);
  assert.deepEqual(
    [misspelt.code, misspelt.err],
    [3, "preflight: --accept: SiteNodeFrosen is not the name of a known risk: did you mean SiteNodeFrozen?\n"],
  );
  const accepted = await runPreflight([...checks, "--only", "site-frozen-nodes", "--accept", "SiteNodeFrozen"]);
  assert.deepEqual([accepted.code, accepted.err], [4, ""]);
});

test("several targets, a plan and a playbook have it", async () => {
  const targets = ["--target", "demo/release", "--recorded", "demo", "--checks", own, "--only", "site-frozen-nodes"];
  const side = await runPreflight(["check", ...targets, "--target", "demo/release"]);
  assert.deepEqual([side.code, side.err], [3, ""]);
  assert.match(side.out, /SiteNodeFrozen/);
  const plan = ["--recorded", "demo", "--to", "4.18.6", "--release", "demo/release", "--checks", own];
  const planned = await runPreflight(["plan", ...plan, "-o", "json"]);
  assert.match(planned.out, /"SiteNodeFrozen"/);
  const playbook = await runPreflight(["playbook", ...plan]);
  assert.ok(playbook.out.includes(`preflight plan --to 4.18.6 --release demo/release --checks ${own}`), playbook.out);
});

test("list, explain and rbac show it, and rbac prints only what the shipped role lacks", async () => {
  const listed: Json = JSON.parse((await runPreflight(["list", "--checks", own, "-o", "json"])).out);
  assert.ok(Array.isArray(listed));
  const check = listed.find((one) => textAt(one, "id") === "site-frozen-nodes");
  assert.deepEqual(at(check, "origin"), { kind: "site", file: own, digest: DIGEST });
  const { out } = await runPreflight(["explain", "siteNodeFrozen", "--checks", own]);
  assert.match(out, /^SiteNodeFrozen: A node/);
  assert.ok(out.includes(`\nFile:      ${own}\n`), out);
  const role = (await runPreflight(["rbac", "--checks", own])).out;
  assert.match(role, /resourcequotas/);
  assert.doesNotMatch(role, /nodes\n/);
  assert.match(role, /kind: ClusterRoleBinding\n.*name: cluster-version-operator-preflight\n/s);
  const refused = await runPreflight(["rbac", "--checks", own, "--checks", faulty]);
  assert.deepEqual([refused.code, refused.out], [1, ""]);
  assert.match(refused.err, /\npreflight: nobody knows what these checks read: correct them first\n$/);
  const bound = (await runPreflight(["rbac", "--checks", own, "--bind-to", "jane"])).out;
  assert.match(bound, /name: preflight-reader\n.*- nodes\n.*- resourcequotas\n.*name: jane\n/s);
});

test("a named configuration and the environment may name it, and a found file may not", async () => {
  const config = write("config.yaml", `settings: {checks: [${own}]}\n`);
  const only = ["check", ...DEMO, "--only", "site-frozen-nodes"];
  const named = await runPreflight([...only, "--config", config]);
  const given = await runPreflight(only, { PREFLIGHT_CHECKS: own });
  assert.deepEqual([named.code, given.code], [3, 3], named.err);
  write("place/.preflight.yaml", `settings: {checks: [${own}]}\n`);
  const found = await runPreflight(["check", "--target-version", "4.18.6"], {}, { cwd: join(folder, "place") });
  assert.equal(found.code, 2);
  assert.match(found.err, /sets "checks"/);
});

describe("an assistant", () => {
  let client: Client | undefined;
  after(async () => {
    await client?.close();
  });

  test("gets it with each check and explanation of a server that was started with --checks", async () => {
    client = await connect(["--recorded", "demo", "--release", "demo/release", "--checks", own]);
    const only = { to: "4.18", only: ["site-frozen-nodes"] };
    const checked = await client.callTool({ name: "check", arguments: only });
    assert.match(JSON.stringify(checked.structuredContent), /SiteNodeFrozen/);
    const explained = await client.callTool({ name: "explain", arguments: { name: "SiteNodeFrozen" } });
    assert.match(JSON.stringify(explained.structuredContent), /A node is frozen/);
  });
});
