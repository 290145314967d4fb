import assert from "node:assert/strict";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { buildSiteCheck } from "../../../support/cli/site-check.ts";
import { runPreflight } from "../../../../verify/shared/preflight.ts";
import { createTemporaryFolder } from "../../../../verify/shared/temporary-folder.ts";

const folder = createTemporaryFolder("migrate");

const CHECK = `# Of before: target.ordinal counted the minors of OpenShift.
${buildSiteCheck("frozen-nodes")}  notices:
    - {when: 'target.ordinal >= minor("4.21") && source . ordinal > 1', message: It is late.}
    - {when: 'cluster.history.exists(object, dyn(object).?target.ordinal == "1")', message: It is another.}
`;
const KUBERNETES = CHECK.replace(/^#.*\n/, "")
  .replace("rollback]}", "rollback], platforms: [kubernetes]}")
  .replaceAll("4.21", "1.34");
const OWN = CHECK.replace(
  "nodes: {list: v1/nodes}",
  "nodes: {list: v1/nodes}\n    target: {get: v1/configmaps, name: a/b}",
);

async function migrate(name: string, text: string) {
  const checks = join(folder, name);
  mkdirSync(join(checks, "cases"), { recursive: true });
  writeFileSync(join(checks, "check.yaml"), text);
  writeFileSync(join(checks, "cases", "a.yaml"), "target.ordinal");
  const ended = await runPreflight(["checks", "migrate", checks]);
  assert.equal(readFileSync(join(checks, "cases", "a.yaml"), "utf8"), "target.ordinal");
  return { ...ended, text: readFileSync(join(checks, "check.yaml"), "utf8"), file: join(checks, "check.yaml") };
}

test("what was renamed is rewritten, each document for its platform, and nothing else", async () => {
  const { code, out, err, text, file } = await migrate("both", `${CHECK}---\n${KUBERNETES}`);
  assert.deepEqual([code, out, err], [0, `${file}\n`, "Changed 1 of 1 file: run the cases of these checks.\n"]);
  const changed = (check: string, platform: string): string =>
    check.replace("{when: 'target.ordinal", `{when: 'target.${platform}`);
  assert.equal(text, `${changed(CHECK, "openshift")}---\n${changed(KUBERNETES, "kubernetes")}`);
  const again = await migrate("both", text);
  assert.deepEqual([again.code, again.out, again.err], [0, "", "1 file: nothing to change.\n"]);
});

test("names of the author's own stay", async () => {
  const { code, out, text } = await migrate("own", OWN);
  assert.deepEqual([code, out, text], [0, "", OWN]);
});

test("of a check with a fault, nothing is written", async () => {
  const faulty = CHECK.replace("title:", "titel:");
  const { code, out, err, text } = await migrate("faulty", faulty);
  assert.deepEqual([code, out, text], [3, "", faulty]);
  assert.match(err, /titel is not a field here/);
});
