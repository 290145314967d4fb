import assert from "node:assert/strict";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { before, test } from "node:test";
import { listAt, numberAt, objectAt, objectsAt, parseObject, textAt } from "../../../../src/model/json.ts";
import { runPreflight } from "../../../../verify/shared/preflight.ts";
import { createTemporaryFolder } from "../../../../verify/shared/temporary-folder.ts";

const folder = createTemporaryFolder();
const ARGS = ["check", "--recorded", "demo", "--target", "demo/release"];

function plan(namespace: string, name: string, spec: string): string {
  return `apiVersion: storage.example.com/v1\nkind: BackupPlan\nmetadata: {namespace: ${namespace}, name: ${name}}\nspec:\n  schedule: daily\n  ${spec}\n`;
}

before(async () => {
  await mkdir(join(folder, "deploy"));
  const files = {
    "invoices.yaml": plan("billing", "invoices", "keep: 365"),
    "ledger.yaml": plan("billing", "ledger", "keep: 7"),
    "other.yaml": plan("billing", "other", "keep: 400"),
    "broken.yaml": "apiVersion: v1\nkind: [\n",
  };
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, "deploy", name), text);
});

async function check(...more: readonly string[]): ReturnType<typeof runPreflight> {
  const result = await runPreflight([...ARGS, "--manifests", join(folder, "deploy"), ...more]);
  return { ...result, out: result.out.replaceAll(`${folder}/`, "") };
}

test("check --manifests shows beside the fix where the object stands in files", async () => {
  const plain = await runPreflight(ARGS);
  const { out, code, err } = await check();
  assert.deepEqual([code, err], [plain.code, ""]);
  assert.match(
    out.replaceAll(/\s+/g, " "),
    /Fix \(disruptive\), 1 of 4 oc -n billing edit backupplan\.storage\.example\.com\/invoices File deploy\/invoices\.yaml:6:3 has the fault too and brings it back Could not/,
  );
  assert.match(out, /In none of them: /);
  assert.match(out.replaceAll(/\s+/g, " "), /deploy\/broken\.yaml:\d+:\d+: it is not valid YAML/);
  assert.match(
    out.replaceAll(/\s+/g, " "),
    /1 fault of these files is not in the cluster: preflight manifests \S*deploy --target demo\/release --recorded demo/,
  );
});

test("check --manifests says in every full output what each file makes of the fault", async () => {
  for (const format of ["wide", "markdown", "html"]) {
    const text = (await check("-o", format)).out.replaceAll(/<[^>]*>|[\\`]/g, "").replaceAll(/\s+/g, " ");
    assert.match(text, /deploy\/invoices\.yaml:6:3 has the fault too and brings it back/, format);
    assert.match(text, /deploy\/ledger\.yaml:1:1 is mended already: apply it/, format);
  }
});

test("check --manifests -o json has the files of each finding, and what is in files alone", async () => {
  const report = parseObject((await check("-o", "json")).out);
  const findings = listAt(report, "checks").flatMap((one) => objectsAt(one, "findings"));
  const files = findings.flatMap((one) => objectsAt(one, "files").map((file) => [textAt(one, "object", "name"), file]));
  assert.deepEqual(files, [
    ["invoices", { file: "deploy/invoices.yaml", line: 6, column: 3, state: "faulty" }],
    ["ledger", { file: "deploy/ledger.yaml", line: 1, column: 1, state: "mended" }],
  ]);
  assert.equal(numberAt(report, "files", "otherFaults"), 1);
  assert.equal(numberAt(report, "files", "objects"), 3);
  const without = objectsAt(report, "files", "withoutFile").map((one) => textAt(one, "name"));
  assert.ok(without.includes("catalogue") && !without.includes("ledger"), without.join());
  assert.equal(textAt(report, "files", "unread", 0, "reason"), "NotUnderstood");
});

test("check --manifests -o sarif places a result in the file, and another where it was", async () => {
  const run = objectAt(parseObject((await check("-o", "sarif")).out), "runs", 0);
  const places = objectsAt(run, "results").map((one) => objectAt(one, "locations", 0, "physicalLocation"));
  const paths = places.map((one) => textAt(one, "artifactLocation", "uri") ?? "");
  const own = places[paths.findIndex((path) => path.endsWith("deploy/invoices.yaml"))];
  assert.deepEqual(own && objectAt(own, "region"), { startLine: 6, startColumn: 3 });
  assert.ok(paths.some((path) => path.startsWith("objects/")));
});

test("without --manifests, nothing is said of files", async () => {
  for (const format of ["wide", "json"]) {
    const { out } = await runPreflight([...ARGS, "-o", format]);
    assert.doesNotMatch(out, /"files"|^ *Files?\b/m, format);
  }
});

test("check --manifests refuses what it can't go with, before the cluster is read", async () => {
  for (const [more, message] of [
    [["--watch"], /--manifests reads files once: remove --watch/],
    [["--to", "4.18.6", "--to", "4.18.7"], /one target|several targets/],
  ] as const) {
    const { code, err } = await check(...more);
    assert.equal(code, 2, err);
    assert.match(err, message);
  }
  const missing = await runPreflight([...ARGS, "--manifests", join(folder, "missing")]);
  assert.equal(missing.code, 1);
  assert.match(missing.err, /missing can't be read/);
});

test("check --manifests says how many objects of the files could not be judged", async () => {
  const path = join(folder, "strange.yaml");
  await writeFile(path, "apiVersion: strange.example.com/v1\nkind: Stranger\nmetadata: {name: one}\n");
  const args = [...ARGS, "--manifests", path];
  assert.equal(numberAt(parseObject((await runPreflight([...args, "-o", "json"])).out), "files", "notJudged"), 1);
  const { out } = await runPreflight(args);
  assert.match(
    out.replaceAll(/\s+/g, " "),
    /- 1 object of these files could not be judged: preflight manifests \S+strange\.yaml --target demo\/release/,
  );
});
