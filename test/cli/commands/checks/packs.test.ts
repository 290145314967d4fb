import assert from "node:assert/strict";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { at, listAt, textAt } from "../../../../src/model/json.ts";
import { parseDocuments } from "../../../../src/encoding/yaml.ts";
import { buildSiteCheck } from "../../../support/cli/site-check.ts";
import { runPreflight } from "../../../../verify/shared/preflight.ts";
import { createTemporaryFolder } from "../../../../verify/shared/temporary-folder.ts";
import { createTestKey } from "../../../../verify/signatures/openpgp.ts";

const folder = createTemporaryFolder("packs");

function write(path: string, content: string | Uint8Array): string {
  const file = join(folder, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
  return file;
}

const CHECK = buildSiteCheck("frozen-nodes", "master", "NodeFrozen").replace(/\n {4}quotas:.*/, "");
write("checks/nodes/check.yaml", CHECK);
write("checks/nodes/cases/clear-none.yaml", "source: 4.20.1\n");
const index = join(folder, "index.yaml");
const checks = join(folder, "checks");

async function pack(version: string, ...more: readonly string[]): ReturnType<typeof runPreflight> {
  const named = ["--name", "widgets", "--pack-version", version, "--index", index];
  return runPreflight(["checks", "pack", checks, "-o", join(folder, `widgets-${version}.tar`), ...named, ...more]);
}

async function pull(name: string, to: string, ...more: readonly string[]): ReturnType<typeof runPreflight> {
  return runPreflight(["checks", "pull", name, "--index", index, "--dest-dir", join(folder, to), ...more]);
}

const claim = join(folder, "claim.json");
const key = createTestKey("Widgets <security@example.com>");
const keyFile = write("widgets.pub", key.keyring);
const first = await pack("1.2.0", "--claim", claim);
const signature = write("widgets-1.2.0.tar.sig", key.sign(readFileSync(claim, "utf8")));
const digest = first.out.trim();

test("a pack is listed with its version, its digest and its checks, and is the same for the same files", async () => {
  assert.equal(first.code, 0, first.err);
  const again = await pack("1.2.0");
  assert.deepEqual([again.code, again.out.trim()], [0, digest]);
  const listed = await runPreflight(["checks", "list", "--index", index]);
  const [head, row, ...more] = listed.out.trimEnd().split("\n");
  assert.match(head ?? "", /^PACK +VERSION +CHECKS +PREFLIGHT +DIGEST$/);
  assert.deepEqual([row?.split(/ +/), more], [["widgets", "1.2.0", "1", "any", digest], []]);
  const json = await runPreflight(["checks", "list", "--index", index, "-o", "json"]);
  assert.deepEqual(JSON.parse(json.out), [
    { name: "widgets", version: "1.2.0", digest, source: "widgets-1.2.0.tar", checks: ["frozen-nodes"] },
  ]);
});

test("what is pulled is what was packed, and runs", async () => {
  const pulled = await pull("widgets", "pulled", "--key", keyFile, "--signature", signature);
  assert.deepEqual([pulled.code, pulled.out], [0, `${digest}\n`], pulled.err);
  assert.match(pulled.err, /^Wrote 2 files of widgets 1\.2\.0 to .*\. Its signature was verified: Widgets /);
  for (const path of ["nodes/check.yaml", "nodes/cases/clear-none.yaml"])
    assert.equal(readFileSync(join(folder, "pulled", path), "utf8"), readFileSync(join(checks, path), "utf8"));
  const run = ["check", "--recorded", "demo", "--target", "demo/release", "--only", "site-frozen-nodes", "-o", "json"];
  const result = JSON.parse((await runPreflight([...run, "--checks", join(folder, "pulled")])).out);
  assert.ok(listAt(result, "risks").some((risk) => textAt(risk, "name") === "SiteNodeFrozen"));
  const twice = await pull("widgets", "pulled");
  assert.deepEqual([twice.code, /is not empty/.test(twice.err)], [2, true]);
});

test("without a key, it says that nobody verified the signature", async () => {
  assert.match((await pull("widgets@1.2.0", "unsigned")).err, /Its signature was not verified: name its author's key/);
});

test("a version is never two packs, and a later one is the default", async () => {
  write("checks/nodes/check.yaml", CHECK.replace("No node is frozen", "No node is held"));
  const changed = await pack("1.2.0");
  assert.equal(changed.code, 1);
  assert.match(
    changed.err,
    /has widgets 1\.2\.0 with other checks \(sha256:[0-9a-f]{64}\): give these a later version/,
  );
  const later = await pack("1.10.0", "--requires", "9999.0.0");
  assert.equal(later.code, 0, later.err);
  assert.equal((await pack("2.0.0-rc.1")).code, 0);
  write("checks/nodes/check.yaml", CHECK);
  const documents = parseDocuments(readFileSync(index, "utf8"));
  const packs = documents.kind === "documents" ? listAt(documents.documents[0], "packs") : [];
  assert.deepEqual(
    packs.map((one) => [textAt(one, "version"), at(one, "requires")]),
    [
      ["1.2.0", undefined],
      ["1.10.0", { preflight: "9999.0.0" }],
      ["2.0.0-rc.1", undefined],
    ],
  );
  const pulled = await pull("widgets", "latest");
  assert.match(pulled.err, /of widgets 1\.10\.0 to /);
});

const other = createTestKey("Somebody <somebody@example.com>");
const OTHERS: readonly (readonly [what: string, args: () => readonly string[], code: number, message: RegExp])[] = [
  [
    "is signed by somebody else",
    () => ["--key", write("other.pub", other.keyring), "--signature", signature],
    1,
    /is not a signature by/,
  ],
  [
    "is signed for other files",
    () => {
      const claimed = readFileSync(claim, "utf8").replace(/sha256:[0-9a-f]{4}/, "sha256:0000");
      return ["--key", keyFile, "--signature", write("false.sig", key.sign(claimed))];
    },
    1,
    /it is for another image/,
  ],
  ["has no signature", () => ["--key", keyFile], 2, /--key needs the signature/],
];
for (const [what, args, code, message] of OTHERS)
  test(`nothing is written of a pack that ${what}`, async () => {
    const refused = await pull("widgets@1.2.0", "refused", ...args());
    assert.equal(refused.code, code, refused.err);
    assert.match(refused.err, message);
    assert.ok(!existsSync(join(folder, "refused")));
  });

test("nothing is written of a pack that is not what the index names", async () => {
  const wrong = write("wrong/index.yaml", readFileSync(index, "utf8").replace(digest, `sha256:${"0".repeat(64)}`));
  write("wrong/widgets-1.2.0.tar", readFileSync(join(folder, "widgets-1.2.0.tar")));
  const to = join(folder, "refused");
  const refused = await runPreflight(["checks", "pull", "widgets@1.2.0", "--index", wrong, "--dest-dir", to]);
  assert.equal(refused.code, 1);
  assert.match(refused.err, /is not what the index names: its digest is sha256:/);
  assert.ok(!existsSync(to));
});

test("of a registry, the digest of the index is fetched", async () => {
  const place = "oci://127.0.0.1:1/team/widgets";
  const remote = write("remote/index.yaml", readFileSync(index, "utf8").replaceAll(/source: .*/g, `source: ${place}`));
  const { code, err } = await runPreflight(["checks", "pull", "widgets@1.2.0", "--index", remote, "--dest-dir", "x"]);
  assert.equal(code, 1);
  assert.ok(err.includes(`the pack ${place}@${digest} can't be used: 127.0.0.1:1 refused the connection`), err);
});

const WRONG: readonly (readonly [args: readonly string[], message: RegExp])[] = [
  [
    ["checks", "pull", "widget", "--index", index, "--dest-dir", "x"],
    /the index has no pack widget: did you mean widgets\?/,
  ],
  [
    ["checks", "pull", "widgets@9.0.0", "--index", index, "--dest-dir", "x"],
    /the index has widgets 1\.2\.0, .*: write widgets@VERSION/,
  ],
  [["checks", "pull", checks, "--dest-dir", "x"], /is neither an archive/],
  [["checks", "pull", "oci://127.0.0.1:1/a:b", "--dest-dir", "x"], /the pack oci:.* names a tag, which can move/],
  [["checks", "pack", checks, "-o", "x.tar", "--name", "a"], /--name and --pack-version belong together/],
  [["checks", "pack", checks, "-o", "x.tar", "--index", index], /--index needs --name and --pack-version/],
  [["checks", "pack", checks, "-o", "x.tar", "--name", "A", "--pack-version", "1.0.0"], /--name "A" is not a name/],
  [
    ["checks", "pack", checks, "-o", "x.tar", "--name", "a", "--pack-version", "1.0"],
    /--pack-version "1\.0" is not a version/,
  ],
];
for (const [args, message] of WRONG)
  test(`wrong usage: ${message.source.slice(0, 40)}`, async () => {
    const { code, err } = await runPreflight(args);
    assert.deepEqual([code, message.test(err)], [2, true], err);
  });

test("an index with a mistake is refused with its place", async () => {
  const wrong = write("faulty/index.yaml", readFileSync(index, "utf8").replace("version: 1.2.0", "version: 1.2"));
  const { code, err } = await runPreflight(["checks", "list", "--index", wrong]);
  assert.equal(code, 1);
  assert.match(err, /index\.yaml:\d+:\d+: packs\[0\]\.version: it must be/);
});
