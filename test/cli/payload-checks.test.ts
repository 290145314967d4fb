import assert from "node:assert/strict";
import { cpSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { checks } from "../../src/checks/index.ts";
import { createCheckFinder } from "../../src/cli/checks/check-selection.ts";
import { buildContext, type Check } from "../../src/model/check.ts";
import { at, type Json, listAt, textAt } from "../../src/model/json.ts";
import type { ImageVerification } from "../../src/model/release.ts";
import { buildPlainFacts } from "../../src/runner/facts/cluster-facts.ts";
import { BUG, buildListText } from "../support/checks/known-bugs/list-texts.ts";
import { buildSiteCheck } from "../support/cli/site-check.ts";
import { release, version } from "../support/fixtures.ts";
import { addPayloadChecks, buildChecksManifest } from "../support/payload-checks.ts";
import { runPreflight } from "../../verify/shared/preflight.ts";
import { createTemporaryFolder } from "../../verify/shared/temporary-folder.ts";

const folder = createTemporaryFolder("payload-checks");
const FILE = "ConfigMap openshift-storage/preflight-checks nodes.yaml";

function createTarget(name: string, manifest: object): string {
  const target = join(folder, name);
  cpSync("demo/release", target, { recursive: true });
  addPayloadChecks(target, manifest);
  return target;
}

const checked = createTarget("checked", buildChecksManifest({ "nodes.yaml": buildSiteCheck("frozen-nodes") }));

async function check(target: string, ...more: readonly string[]): Promise<{ readonly code: unknown; result: Json }> {
  const ended = await runPreflight(["check", "--recorded", "demo", "--target", target, "-o", "json", ...more]);
  return { code: ended.code, result: JSON.parse(ended.out) };
}

function find(result: Json, list: string, key: string, value: string): Json | undefined {
  return listAt(result, list).find((one) => textAt(one, key) === value);
}

test("a check of the target's payload runs beside the others, and its texts say whose it is", async () => {
  const { result } = await check(checked);
  const own = find(result, "checks", "id", "payload-frozen-nodes");
  assert.deepEqual(
    [
      textAt(own, "outcome"),
      textAt(own, "origin", "kind"),
      textAt(own, "origin", "release"),
      textAt(own, "origin", "file"),
    ],
    ["risk", "payload", "4.18.6", FILE],
  );
  assert.match(textAt(own, "origin", "digest") ?? "", /^sha256:[0-9a-f]{64}$/);
  assert.deepEqual(at(own, "judged"), { nodes: 5 });
  const risk = find(result, "risks", "name", "NodeFrozen");
  assert.ok(textAt(risk, "message")?.startsWith("From release 4.18.6: "));
  const without = await check("demo/release");
  assert.equal(find(without.result, "risks", "name", "NodeFrozen"), undefined);
});

test("a name of the list of --known-bugs is taken", async () => {
  const list = join(folder, "bugs.yaml");
  writeFileSync(list, buildListText([{ ...BUG, name: "NodeFrozen" }]).text);
  const { result } = await check(checked, "--known-bugs", list);
  const own = find(result, "checks", "id", "payload-frozen-nodes");
  assert.match(textAt(own, "message") ?? "", /the name NodeFrozen is taken/);
});

test("--only and --skip name it, and what is left out is never clear", async () => {
  const only = await check(checked, "--only", "payload-frozen-nodes", "--fail-on", "risk");
  assert.deepEqual([only.code, listAt(only.result, "risks").length], [3, 2]);
  const skipped = await check(checked, "--skip", "payload-frozen-nodes");
  const own = find(skipped.result, "checks", "id", "payload-frozen-nodes");
  assert.deepEqual([textAt(own, "outcome"), textAt(own, "reason")], ["unknown", "LeftOut"]);
});

test("its risk is accepted by its name", async () => {
  const { err } = await runPreflight([
    "check",
    "--recorded",
    "demo",
    "--target",
    checked,
    "--accept",
    "NodeFrozen",
    "-o",
    "json",
  ]);
  assert.equal(err, "");
});

test("a plan has it at the update whose release brings it", async () => {
  const { out } = await runPreflight([
    "plan",
    "--recorded",
    "demo",
    "--to",
    "4.18.6",
    "--release",
    checked,
    "-o",
    "json",
  ]);
  const result: Json = JSON.parse(out);
  const steps = listAt(result, "steps").map((step) => at(step, "result") ?? null);
  assert.ok(find(steps[0] ?? null, "risks", "name", "NodeFrozen") !== undefined, out.slice(0, 500));
});

test("list and explain show it, and rbac prints what it reads", async () => {
  const listed = await runPreflight(["list", "--target", checked]);
  assert.match(listed.out, /^payload-frozen-nodes +No node is frozen +OpenShift +NodeFrozen$/m);
  const explained = await runPreflight(["explain", "NodeFrozen", "--target", checked]);
  assert.ok(explained.out.includes(`\nFile:      ${FILE}\n`), explained.out);
  const role = await runPreflight(["rbac", "--target", checked, "--only", "payload-frozen-nodes"]);
  assert.match(role.out, /resourcequotas/);
});

const FAULTY: readonly (readonly [string, object, RegExp])[] = [
  [
    "a name that is taken",
    buildChecksManifest({ "nodes.yaml": buildSiteCheck("frozen-nodes", "master", "CgroupV1Removed") }),
    /the name CgroupV1Removed is taken/,
  ],
  [
    "a name of administrators",
    buildChecksManifest({ "nodes.yaml": buildSiteCheck("frozen-nodes", "master", "SiteNodeFrozen") }),
    /names that begin with Site, Olm or Ns/,
  ],
  ["a later format", buildChecksManifest({ "nodes.yaml": buildSiteCheck("nodes") }, "v1"), /the format v1, and this/],
  ["no key", buildChecksManifest({}), /it holds no check/],
  ["what is no YAML", buildChecksManifest({ "nodes.yaml": "kind: [" }), /nodes\.yaml/],
];

for (const [name, manifest, message] of FAULTY)
  test(`${name} is unknown, and never clear`, async () => {
    const target = createTarget(name.replaceAll(" ", "-"), manifest);
    const { result } = await check(target);
    const own = listAt(result, "checks").filter((one) => textAt(one, "origin", "kind") === "payload");
    assert.deepEqual(
      own.map((one) => textAt(one, "outcome")),
      ["unknown"],
    );
    assert.match(textAt(own[0], "message") ?? "", message);
  });

/** What becomes of the checks of an image. */
async function findFor(
  imageVerification: ImageVerification | undefined,
  profile?: string,
  given: readonly Check[] = [],
): Promise<readonly Check[]> {
  const texts = [{ name: FILE, text: buildSiteCheck("frozen-nodes"), digest: "sha256:0" }];
  const image = "example.com/release@sha256:0";
  const target = release("4.18.6", { image, checks: texts, imageVerification });
  const context = buildContext(version("4.17.20"), target, new Date(0));
  return createCheckFinder().find({
    context,
    facts: { ...buildPlainFacts(version("4.17.20")), ...(profile === undefined ? {} : { profile }) },
    given,
    reader: { get: () => assert.fail(), list: () => assert.fail(), raw: () => assert.fail() },
    signal: AbortSignal.timeout(60_000),
  });
}

test("an image's checks run only if the cluster would load it", async () => {
  const untrusted: ImageVerification = { status: "Untrusted", message: "signed by no key that it trusts" };
  const unknown: ImageVerification = { status: "Unknown", message: "could not be verified: no signature was found" };
  const ids = async (...given: Parameters<typeof findFor>) => (await findFor(...given)).map(({ id }) => id);
  assert.deepEqual(await ids({ status: "Verified", message: "verified by a key" }), ["payload-frozen-nodes"]);
  assert.deepEqual(await ids(undefined), ["payload-frozen-nodes"]);
  // No operator verifies the release of a hosted cluster.
  assert.deepEqual(await ids(unknown, "ibm-cloud-managed"), ["payload-frozen-nodes"]);
  for (const verification of [untrusted, unknown]) {
    const [check, ...others] = await findFor(verification);
    assert.deepEqual([check?.id, check?.name, others], ["payload-checks", "PayloadChecks", []]);
  }
});

test("a name that a newer list of known bugs has is taken, too", async () => {
  const bugs = checks.find(({ id }) => id === "known-bugs");
  const [risk] = bugs?.risks ?? [];
  assert.ok(bugs && risk);
  const newer = { ...bugs, risks: [...bugs.risks, { ...risk, name: "NodeFrozen" }] };
  const [sound] = await findFor(undefined, undefined, [bugs]);
  const [refused] = await findFor(undefined, undefined, [newer]);
  assert.deepEqual([sound?.risks.length, refused?.risks.length], [1, 0]);
});
