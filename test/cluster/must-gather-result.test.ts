import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { dump } from "js-yaml";
import { RESULT_NAME } from "../../src/lift/preflight-result.ts";
import { createTemporaryFolder } from "../../verify/shared/temporary-folder.ts";

const version = spawnSync("yq", ["--version"], { encoding: "utf8" });
const noYq = version.error === undefined ? false : "there is no yq";

test("the commands of the page for support take the document out of an archive", { skip: noYq }, () => {
  const folder = createTemporaryFolder();
  const place = join(folder, "namespaces/openshift-cluster-version/core");
  mkdirSync(place, { recursive: true });
  const document = readFileSync("docs/examples/document.json", "utf8");
  // As "oc adm inspect" writes it: a list of each kind in a namespace.
  const items = [
    { metadata: { name: "another" }, data: { "document.json": "{}" } },
    { metadata: { name: RESULT_NAME }, data: { "held.json": "{}", "document.json": document } },
  ];
  writeFileSync(join(place, "configmaps.yaml"), dump({ apiVersion: "v1", kind: "ConfigMapList", items }));
  const command = /^ {4}(yq [\s\S]*?) > document\.json$/m.exec(readFileSync("docs/support.md", "utf8"))?.[1] ?? "";
  assert.notEqual(command, "");
  const { stdout, stderr, status } = spawnSync("sh", ["-c", command], { cwd: folder, encoding: "utf8" });
  assert.equal(status, 0, stderr);
  assert.equal(stdout.trim(), document.trim());
});
