import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { appendFileSync, cpSync, existsSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { test } from "node:test";
import { listTakenNames } from "../../src/cli/checks/risk-names.ts";
import { formatFault } from "../../src/data-checks/format/fault.ts";
import { loadChecks } from "../../src/data-checks/load.ts";
import { parseDocuments } from "../../src/encoding/yaml.ts";
import { type JsonObject, at, isObject, textAt } from "../../src/model/json.ts";
import { parseCheckTexts } from "../../src/release/payload/check-texts.ts";
import { assertCases, readCheckText } from "../support/examples/check-cases.ts";
import { type ComponentSet, listComponentSets } from "../support/examples/component-checks.ts";
import { START, START_ENV } from "../../verify/shared/preflight.ts";
import { createTemporaryFolder } from "../../verify/shared/temporary-folder.ts";

const sets = listComponentSets();

function readManifest({ manifestText }: ComponentSet): JsonObject {
  const parsed = parseDocuments(manifestText);
  const [object] = parsed.kind === "invalid" ? [] : parsed.documents;
  assert.ok(isObject(object));
  return object;
}

test("all sets can be in one payload, beside the checks of this build", async () => {
  const texts = sets.flatMap((set) => parseCheckTexts(readManifest(set)) ?? []);
  const { checks, faults } = await loadChecks(texts, { kind: "payload", release: "5.0.0" }, listTakenNames());
  assert.deepEqual(faults.map(formatFault), []);
  assert.equal(checks.length, 5);
  assert.deepEqual(
    sets.map(({ component }) => component),
    ["ingress", "machine-config", "monitoring", "network", "storage"],
  );
});

for (const set of sets)
  test(`the checks of ${set.component} report what their cases expect, and are in the manifest`, async () => {
    for (const folder of set.checks) await assertCases(folder);
    assert.ok(existsSync(join(set.folder, "README.md")));
    const manifest = readManifest(set);
    const files = set.checks.map((folder) => [`${basename(folder)}.yaml`, readCheckText(folder).text]);
    assert.deepEqual(manifest["data"], Object.fromEntries(files));
    assert.match(textAt(manifest, "metadata", "namespace") ?? "", /^openshift-/);
    const profile = "include.release.openshift.io/self-managed-high-availability";
    assert.equal(textAt(manifest, "metadata", "annotations", profile), "true");
  });

test("the manifest of the page for component teams is one of a release, for all profiles that the examples have", () => {
  const page = readFileSync(join(import.meta.dirname, "../../docs/component-checks.md"), "utf8");
  const [, text = ""] = /^ *```yaml\n(.*?)^ *```$/ms.exec(page) ?? [];
  const parsed = parseDocuments(text.replaceAll(/^ {3}/gm, ""));
  const [manifest] = parsed.kind === "invalid" ? [] : parsed.documents;
  const [example] = sets.filter(({ component }) => component === "network").map(readManifest);
  for (const part of ["labels", "annotations"])
    assert.deepEqual(at(manifest, "metadata", part), at(example, "metadata", part));
});

test("the target for CI passes as it is, and names a check that is not in the manifest", () => {
  const folder = createTemporaryFolder();
  cpSync(join(import.meta.dirname, "../../examples/component-checks"), folder, { recursive: true });
  const make = (target: string) =>
    spawnSync("make", ["-s", "-C", join(folder, "monitoring"), target], {
      env: { PATH: process.env["PATH"], HOME: folder, PREFLIGHT: START.join(" "), ...START_ENV },
      encoding: "utf8",
    });
  const asItIs = make("verify-preflight");
  assert.equal(asItIs.status, 0, asItIs.stderr);
  assert.match(asItIs.stderr, /No mistakes in 1 file\.\n(?:The fields of .*\n)?6 of 6 cases passed\./);
  appendFileSync(join(folder, "monitoring/preflight/prometheus-functions/check.yaml"), "  seenAfterUpdate: Later.\n");
  const changed = make("verify-preflight");
  assert.notEqual(changed.status, 0);
  assert.match(changed.stdout, /^\+ {6}seenAfterUpdate: Later\.$/m);
  assert.equal(make("preflight-manifest").status, 0);
  assert.equal(make("verify-preflight").status, 0);
});
