import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { before, test } from "node:test";
import { EXECUTABLE, runPreflight } from "../../../../verify/shared/preflight.ts";
import { createTemporaryFolder } from "../../../../verify/shared/temporary-folder.ts";

const FILE = "0000_50_storage_01_backupplans.crd.yaml";
const DEMO = ["check", "--recorded", "demo"];

const folder = createTemporaryFolder();
before(async () => {
  await mkdir(join(folder, "crds"));
  await writeFile(join(folder, "crds", FILE), await readFile(join("demo", "release", FILE)));
  await mkdir(join(folder, "none"));
  await writeFile(join(folder, "none", "a.yaml"), "{apiVersion: v1, kind: ConfigMap, metadata: {name: a}}");
});

test("--crds checks a folder of CRDs without a target, and only the CRDs", async () => {
  const crds = join(folder, "crds");
  const { code, out, err } = await runPreflight([...DEMO, "--crds", crds, "-o", "json"]);
  assert.deepEqual([code, err], [3, ""]);
  const { checks, risks, targetVersion, sourceVersion } = JSON.parse(out);
  assert.deepEqual(
    checks.map(({ id }: { readonly id: string }) => id),
    ["crd-skew"],
  );
  assert.equal(targetVersion, sourceVersion);
  const names = risks.map(({ name }: { readonly name: string }) => name);
  assert.deepEqual(names, ["CrdServedVersionRemoved", "CustomResourceFieldsFrozen"]);
  for (const { message } of risks) assert.ok(message.startsWith(`Applying ${crds} `), message);
  assert.ok(!out.includes("brings no definition"), "what the folder lacks is not its fault");
});

test("--crds names the folder in the table", async () => {
  const crds = join(folder, "crds");
  const { out } = await runPreflight([...DEMO, "--crds", crds]);
  assert.ok(out.startsWith(`Don't update yet. 4.17.20 -> ${crds}: 2 risks`), out);
});

test("--crds reports a definition that the API server would reject, and nothing else about it", async () => {
  const crds = join(folder, "refused");
  await mkdir(crds);
  const definition = await readFile(join("demo", "release", FILE), "utf8");
  await writeFile(join(crds, FILE), definition.replaceAll("type: object", "type: thing"));
  const { code, out } = await runPreflight([...DEMO, "--crds", crds, "-o", "json"]);
  assert.equal(code, 3);
  const { risks } = JSON.parse(out);
  assert.deepEqual(
    risks.map(({ name }: { readonly name: string }) => name),
    ["CrdRefused"],
  );
});

test("--crds skips a file that is not an object, with a message", async () => {
  const crds = join(folder, "built");
  await mkdir(crds);
  await writeFile(join(crds, FILE), await readFile(join("demo", "release", FILE)));
  await writeFile(join(crds, "kustomization.yaml"), "kind: Kustomization\nresources: []\n");
  const { code, err } = await runPreflight([...DEMO, "--crds", crds]);
  assert.deepEqual([code, err], [3, "preflight: skipped: kustomization.yaml: a Kustomization has no metadata.name\n"]);
});

test("--crds reads the folder from the environment", async () => {
  const { code } = await runPreflight(DEMO, { PREFLIGHT_CRDS: join(folder, "crds") });
  assert.equal(code, 3);
});

test("record --crds records the reads that the folder's CRDs need", async () => {
  const crds = join(folder, "crds");
  const copy = join(folder, "copy");
  const recorded = await runPreflight(["record", "--crds", crds, "--recorded", "demo", "--dest-dir", copy]);
  // record reads only live clusters, so it does not have this setting.
  assert.equal(recorded.code, 2);
  const { err } = await runPreflight(["record", "--crds", join(folder, "none"), "--dest-dir", copy]);
  assert.match(err, /has no CustomResourceDefinition/);
});

const wrongUses: readonly (readonly [readonly string[], number, RegExp])[] = [
  [["--crds", "demo/release", "--target", "demo/release"], 2, /remove --target\n/],
  [["--crds", "demo/release", "--target-version", "4.20.3"], 2, /remove --target-version\n/],
  [["--crds", "demo/release", "--only", "dual-stack"], 2, /--crds needs the check crd-skew/],
  [["--crds", "demo/release"], 1, /is a release's folder: use --target/],
  [["--crds", "nowhere"], 1, /nowhere/],
];
for (const [more, expected, text] of wrongUses) {
  test(`check ${more.join(" ")} exits with ${expected}`, async () => {
    const { code, err } = await runPreflight([...DEMO, ...more]);
    assert.equal(code, expected, err);
    assert.match(err, text);
  });
}

test("--crds rejects a folder without CRDs", async () => {
  const { code, err } = await runPreflight([...DEMO, "--crds", join(folder, "none")]);
  assert.equal(code, 1);
  assert.match(err, /has no CustomResourceDefinition/);
});

test("--crds reads a file or stdin, and speaks of the installed and the new CRD", async () => {
  const file = join(folder, "crds", FILE);
  const { code, out } = await runPreflight([...DEMO, "--crds", file, "-o", "wide"]);
  assert.equal(code, 3);
  assert.ok(out.startsWith(`Don't update yet. 4.17.20 -> ${file}: 2 risks`), out);
  assert.match(out, /values that both the installed and the new\s+CRD accept/);
  assert.doesNotMatch(out, /both releases|[Bb]efore the update/);
  const piped = spawnSync(process.execPath, [EXECUTABLE, ...DEMO, "--crds", "-"], {
    input: await readFile(file),
    encoding: "utf8",
  });
  assert.equal(piped.status, 3, piped.stderr);
  assert.ok(piped.stdout.startsWith("Don't update yet. 4.17.20 -> the CRDs on stdin: 2 risks"), piped.stdout);
});

test("--crds without CRDs says what it needs, and never names a temporary folder", async () => {
  for (const path of [join(folder, "nothing"), join(folder, "none", "a.yaml"), "README.md"]) {
    const { code, err } = await runPreflight([...DEMO, "--crds", path]);
    assert.equal(code, 1);
    assert.ok(err.includes(`${path} `), err);
    assert.match(err, /: --crds needs a file or a folder with CRDs, or - for stdin\n$/);
    assert.doesNotMatch(err, /preflight-crds-/);
  }
});

const SET = "release.openshift.io/feature-set";

test("--crds names the CRDs that do not apply to the cluster, and is not clear if none does", async () => {
  const variant = join(folder, "variants");
  const only = join(folder, "tech-preview");
  await mkdir(variant);
  await mkdir(only);
  const definition = await readFile(join("demo", "release", FILE), "utf8");
  const annotated = definition
    .replaceAll("backupplans", "backupsets")
    .replaceAll("BackupPlan", "BackupSet")
    .replace("  annotations:\n", `  annotations:\n    ${SET}: TechPreviewNoUpgrade\n`);
  await writeFile(join(variant, FILE), definition);
  for (const path of [variant, only]) await writeFile(join(path, "backupsets.yaml"), annotated);
  const beside = await runPreflight([...DEMO, "--crds", variant, "-o", "wide"]);
  assert.equal(beside.code, 3);
  assert.match(
    beside.out.replaceAll(/\s+/g, " "),
    /1 CRD of \S+ does not apply to this cluster .* not checked: backupsets\./,
  );
  const alone = await runPreflight([...DEMO, "--crds", only]);
  assert.equal(alone.code, 4);
  assert.match(alone.out, /NoTargetCrds/);
});
