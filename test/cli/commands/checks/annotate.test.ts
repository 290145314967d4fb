import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { type CommandResult, runWords } from "../../../support/cli/run-words.ts";
import { writeCheck } from "../../../support/data-checks/judge-check.ts";
import { createTemporaryFolder } from "../../../../verify/shared/temporary-folder.ts";

const folder = createTemporaryFolder();
const CHECK = writeCheck("notices: [{when: 'true', message: It is there.}]");

function annotate(...manifests: readonly object[]): Promise<CommandResult> {
  const file = join(folder, "checks.yaml");
  writeFileSync(file, manifests.map((one) => JSON.stringify(one)).join("\n---\n"));
  return runWords("checks", "annotate", file);
}

function build(name: string, data: object): object {
  return { apiVersion: "v1", kind: "ConfigMap", metadata: { name }, data };
}

test("the digest is of the data alone, with sorted keys and without spaces", async () => {
  const other = CHECK.replace("name: sample", "name: other");
  const { code, out, err } = await annotate({ kind: "Service" }, build("shop", { "b.yaml": CHECK, "a.yaml": other }));
  const text = `{"a.yaml":${JSON.stringify(other)},"b.yaml":${JSON.stringify(CHECK)}}`;
  const digest = createHash("sha256").update(text).digest("hex");
  assert.deepEqual([code, out, err], [0, `preflight.openshift.io/checks: shop@sha256:${digest}\n`, ""]);
  const repeated = { ...build("shop", { "a.yaml": other, "b.yaml": CHECK }), immutable: true };
  assert.equal((await annotate(repeated)).out, out);
});

test("several ConfigMaps are one annotation", async () => {
  const other = CHECK.replace("name: sample", "name: other");
  const { out } = await annotate(build("one", { "a.yaml": CHECK }), build("two", { "a.yaml": other }));
  assert.match(out, /^preflight\.openshift\.io\/checks: one@sha256:[0-9a-f]{64},two@sha256:[0-9a-f]{64}\n$/);
});

test("what the operator does not own is warned of", async () => {
  const reads = `reads: {carts: {list: shop.example.com/v1/carts}, nodes: {list: v1/nodes}, own: {list: apps/v1/deployments}}
notices: [{when: carts.items.size() + nodes.items.size() + own.items.size() > 0, message: It is there.}]`;
  const owned = [{ name: "carts.shop.example.com" }];
  const csv = { kind: "ClusterServiceVersion", spec: { customresourcedefinitions: { owned } } };
  const { code, err } = await annotate(build("shop", { "a.yaml": writeCheck(reads) }), csv);
  assert.deepEqual([code, err], [0, "warning: ConfigMap shop a.yaml: the operator does not own v1/nodes\n"]);
});

const FAULTY: readonly (readonly [what: string, manifests: readonly object[], said: RegExp])[] = [
  [
    "a check with an error",
    [build("a", { "a.yaml": CHECK.replace("title:", "tilte:") })],
    /ConfigMap a a\.yaml:\d+:\d+: .*\n(?:.*\n)*.*correct these checks first/,
  ],
  ["two checks of one name", [build("a", { "a.yaml": CHECK, "b.yaml": CHECK })], /is taken/],
  ["a key that is no text", [build("a", { "a.yaml": 1 })], /it is not text/],
  ["no ConfigMap", [{ apiVersion: "v1", kind: "Secret", data: {} }], /checks\.yaml: no ConfigMap with data/],
  ["no checks", [build("a", {})], /checks\.yaml: no ConfigMap with data/],
  ["no name", [{ apiVersion: "v1", kind: "ConfigMap", data: { a: CHECK } }], /a ConfigMap has no name/],
];

for (const [what, manifests, said] of FAULTY)
  test(`no annotation for ${what}`, async () => {
    const { code, out, err } = await annotate(...manifests);
    assert.deepEqual([code, out], [1, ""]);
    assert.match(err, said);
  });
