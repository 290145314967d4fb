import assert from "node:assert/strict";
import { hash } from "node:crypto";
import { linkSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { before, test } from "node:test";
import { EMBEDDED_LIST } from "../../src/checks/known-bugs/bug-data.ts";
import { createCheckLoader } from "../../src/cli/commands/run/cycle-server.ts";
import type { Check } from "../../src/model/check.ts";
import { KNOWN_BUGS_FOLDER } from "../../src/model/check-origin.ts";
import {
  type Json,
  type JsonObject,
  at,
  listAt,
  objectAt,
  parseObject,
  textAt,
  textsAt,
} from "../../src/model/json.ts";
import { BUG, LIST_HEAD, buildListText } from "../support/checks/known-bugs/list-texts.ts";
import { addSignature, buildConfigMap } from "../support/cli/demo-image.ts";
import { type CommandResult, runWords } from "../support/cli/run-words.ts";
import { buildSiteCheck } from "../support/cli/site-check.ts";
import { createTestIo, NO_CHECK_FILES } from "../support/cli/test-io.ts";
import { createTestKey } from "../../verify/signatures/openpgp.ts";
import { buildKeyData } from "../../verify/signatures/release-trust.ts";
import { createTemporaryFolder } from "../../verify/shared/temporary-folder.ts";

const folder = createTemporaryFolder("known-bugs");
const NEW: JsonObject = {
  ...BUG,
  id: "demo",
  name: "DemoNodesLoseDisks",
  published: ["LostDisks"],
  versions: [{ first: "4.18.6", last: "4.18.6" }],
  reads: { widgets: { list: "example.com/v1/widgets" }, nodes: { list: "v1/nodes" } },
  variables: [],
  findings: [{ forEach: "nodes.items", when: "true" }],
};

function write(name: string, text: string | Uint8Array): string {
  const path = join(folder, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  return path;
}

function writeList(name: string, bugs: readonly JsonObject[], head?: JsonObject): string {
  return write(`${name}/list.yaml`, buildListText(bugs, head).text);
}

const list = dirname(writeList("new", [NEW]));
const tar = join(folder, "bugs.tar");
let packed: CommandResult;
before(async () => {
  packed = await runWords("checks", "pack", list, "-o", tar);
});

function findKnownBugs(result: Json): Json | undefined {
  return listAt(result, "checks").find((one) => textAt(one, "id") === "known-bugs");
}

function listNotices(result: Json): readonly string[] {
  return textsAt(findKnownBugs(result), "notices");
}

async function check(place: string, ...more: readonly string[]) {
  const words = ["check", "--recorded", "demo", "--target", "demo/release", "--only", "known-bugs", "-o", "json"];
  const { code, out, err } = await runWords(...words, "--known-bugs", place, ...more);
  const result: Json = parseObject(out) ?? null;
  const risks = listAt(result, "risks").map((risk) => textAt(risk, "name"));
  return {
    code,
    err,
    risks: risks.filter((name) => name !== "PreflightChecksLeftOut"),
    notices: listNotices(result),
    origin: at(findKnownBugs(result), "origin"),
  };
}

test("a list is packed, and is the same from its files, the archive and its folder", async () => {
  const digest = packed.out.trim();
  assert.match(digest, /^sha256:[0-9a-f]{64}$/);
  assert.deepEqual([packed.code, packed.err], [0, `Wrote 1 known bug of 2026-11-01 with 1 file to ${tar}.\n`]);
  assert.equal((await runWords("checks", "pack", list, "-o", join(folder, "again.tar"))).out.trim(), digest);
  assert.deepEqual(readFileSync(join(folder, "again.tar")), readFileSync(tar));
  const plain = await check(list);
  assert.deepEqual([plain.code, plain.err, plain.risks.includes("DemoNodesLoseDisks")], [3, "", true]);
  const own = `sha256:${hash("sha256", readFileSync(join(list, "list.yaml")))}`;
  assert.deepEqual(plain.notices, [`Known bugs are those of the list test of 2026-11-01: ${list} (${own}).`]);
  assert.deepEqual(plain.origin, { kind: "knownBugs", list: "test", date: "2026-11-01", file: list, digest: own });
  const archive = await check(tar);
  assert.deepEqual(archive.risks, plain.risks);
  const [notice = ""] = archive.notices;
  const begin = `Known bugs are those of the list test of 2026-11-01: ${tar} (${digest}). Its signature could not be verified: `;
  assert.equal(notice.slice(0, begin.length), begin);
});

test("an artefact is whole at any time: an earlier one stays until the new one replaces it", async () => {
  const file = write("whole.tar", "earlier");
  const link = join(folder, "whole.link");
  linkSync(file, link);
  assert.equal((await runWords("checks", "pack", list, "-o", file)).code, 0);
  assert.deepEqual(readFileSync(file), readFileSync(tar));
  assert.equal(readFileSync(link, "utf8"), "earlier");
});

test("the list replaces the built-in one in list, explain and rbac", async () => {
  const listed = await runWords("list", "--known-bugs", tar);
  assert.match(listed.out, /^known-bugs .* DemoNodesLoseDisks\+$/m);
  const explained = await runWords("explain", "LostDisks", "--known-bugs", tar);
  assert.match(explained.out, /^DemoNodesLoseDisks: The console stays dark\n/);
  const role = await runWords("rbac", "--known-bugs", tar);
  assert.match(role.out, /apiGroups:\n +- example\.com\n +resources:\n +- widgets\n/);
  assert.doesNotMatch(role.out, /nodes/);
});

test("what a build can't evaluate is said on stderr, and the rest decides", async () => {
  const odd = { ...NEW, id: "odd", name: "Odd", published: [], findings: [{ when: "nodes.cloud()" }] };
  const place = dirname(writeList("odd", [NEW, odd]));
  const { code, err, risks } = await check(place);
  assert.deepEqual([code, risks], [3, ["DemoNodesLoseDisks", "KnownBugsUnknown"]]);
  assert.match(err, /^\S+list\.yaml:\d+:\d+: \[1\]\.findings\[0\]\.when: there is no function cloud\n/);
  assert.match((await runWords("rbac", "--known-bugs", place)).out, /widgets/);
  const refused = await runWords("checks", "pack", place, "-o", join(folder, "odd.tar"));
  assert.deepEqual([refused.code, refused.out], [3, ""]);
  const linted = await runWords("checks", "lint", place);
  assert.equal(linted.code, 3);
  assert.match(linted.err, /^1 error in 1 file\.\n/);
});

test("an entry with the name of another check's risk is refused by name", async () => {
  const names = ["CgroupV1Removed", "ConditionalUpdatesUnknown", "PreflightChecksLeftOut", "OlmStrimziOld"];
  const entries = names.map((name, i) => ({ ...NEW, id: `taken-${i}`, name, published: [] }));
  const { err, risks } = await check(dirname(writeList("taken", [NEW, ...entries])));
  assert.deepEqual(risks, ["DemoNodesLoseDisks", "KnownBugsUnknown"]);
  for (const [i, name] of names.entries()) assert.ok(err.includes(`[${i + 1}].name: the name ${name} is taken`), name);
});

const older: JsonObject = { ...LIST_HEAD, spec: { date: "2026-01-01", knownUpTo: "5.2" } };
const olderPlace = dirname(writeList("older", [NEW], older));
const headless = dirname(write("headless/bugs.yaml", "[]"));

const REFUSED: readonly (readonly [args: readonly string[], code: number, message: string])[] = [
  [
    [olderPlace],
    2,
    `--known-bugs ${olderPlace} is of 2026-01-01, older than the built-in list of ${EMBEDDED_LIST.head.date}: leave it out, or add --known-bugs-older`,
  ],
  [[join(folder, "absent")], 1, `--known-bugs ${join(folder, "absent")} does not exist`],
  [[headless], 1, `--known-bugs ${headless} is no list of known bugs`],
  [
    ["oci://registry.example.com/team/bugs:2026"],
    2,
    `--known-bugs oci://registry.example.com/team/bugs:2026 names a tag, which can move: name the digest, oci://registry.example.com/team/bugs@sha256:..., which "skopeo inspect --format '{{.Digest}}' docker://registry.example.com/team/bugs:2026" prints`,
  ],
];

for (const [[place = ""], code, message] of REFUSED)
  test(`a list that can't be used is refused: ${message.slice(0, 70)}`, async () => {
    const result = await check(place);
    assert.equal(result.code, code);
    assert.equal(result.err.split("\n").at(-2), `preflight: ${message}`);
  });

test("a list is no check, and checks are no list", async () => {
  const words = ["check", "--recorded", "demo", "--target", "demo/release"];
  const { code, err } = await runWords(...words, "--checks", tar);
  assert.deepEqual([code, err], [2, "preflight: --checks names a list of known bugs: name it with --known-bugs\n"]);
  const other = await check("examples/checks");
  assert.equal(other.code, 1);
  assert.match(other.err, /^examples\/checks\/\S+: kind: it must be "KnownBugs"\n/);
});

test("an older list is used on request", async () => {
  const { risks } = await check(olderPlace, "--known-bugs-older");
  assert.ok(risks.includes("DemoNodesLoseDisks"));
});

test("a changed byte in an archive is refused", async () => {
  const bytes = readFileSync(tar);
  bytes[bytes.indexOf("DemoNodesLoseDisks")] = 0x64;
  const { code, err } = await check(write("changed.tar", bytes));
  assert.equal(code, 1);
  assert.match(err, /^preflight: --known-bugs \S+changed\.tar can't be used: .* is damaged: /);
});

test("a list may be signed as a release is", async () => {
  const key = createTestKey("Lists <lists@example.com>");
  const cluster = parseObject(readFileSync("demo/cluster.json", "utf8"));
  const trust = buildConfigMap("openshift-config-managed", "release-verification", { data: buildKeyData(key) });
  const recorded = write("cluster/cluster.json", JSON.stringify({ ...cluster, ...trust }));
  const store = join(folder, "store");
  addSignature(store, packed.out.trim(), key, 1);
  const words = ["check", "--recorded", dirname(recorded), "--target", "demo/release", "--only", "known-bugs"];
  const { out } = await runWords(...words, "--known-bugs", tar, "--signature-store", store, "-o", "json");
  assert.match(
    listNotices(parseObject(out) ?? null).join(),
    /\(sha256:\w{64}\)\. It is verified by Lists <lists@example\.com>, \w{40}\.$/,
  );
});

test("checks come as an artefact, too", async () => {
  const source = dirname(write("checks/nodes/check.yaml", buildSiteCheck("frozen-nodes")));
  write("checks/nodes/cases/risk-node-frozen.yaml", "source: 4.20.1\n");
  const file = join(folder, "checks.tar");
  const { code, err } = await runWords("checks", "pack", dirname(source), "-o", file);
  assert.deepEqual([code, err], [0, `Wrote 1 check with 2 files to ${file}.\n`]);
  const { out } = await runWords("list", "--checks", file, "-o", "json");
  const listed: Json = parseObject(`{"checks": ${out}}`) ?? null;
  const own = listAt(listed, "checks").find((one) => textAt(one, "id") === "site-frozen-nodes");
  assert.equal(textAt(objectAt(own, "origin"), "file"), `${file}/nodes/check.yaml`);
});

test("a runner reads a list again whenever it changes, and goes on with its own where it can't", async () => {
  const place = join(folder, "mounted.yaml");
  const logged: unknown[] = [];
  const values = { ...NO_CHECK_FILES, "known-bugs": place, only: [], skip: [], config: undefined };
  const load = createCheckLoader(values, createTestIo([]), {
    warn: (_, fields) => void logged.push(fields?.["problems"]),
  });
  const find = async (): Promise<Check | undefined> => (await load()).checks.find(({ id }) => id === "known-bugs");
  const count = async (): Promise<number | undefined> => (await find())?.risks.length;
  const own = EMBEDDED_LIST.entries.filter(({ certainty = "risk" }) => certainty === "risk").length;
  assert.equal(await count(), own);
  writeFileSync(place, buildListText([NEW]).text);
  assert.equal(await count(), 1);
  assert.equal(await find(), await find(), "the same file is loaded once");
  writeFileSync(place, buildListText([NEW], older).text);
  assert.equal(await count(), own);
  writeFileSync(place, buildListText([NEW, { ...NEW, id: "two", name: "Two", published: [] }]).text);
  assert.equal(await count(), 2);
  assert.deepEqual(logged, [
    [`--known-bugs ${place} does not exist`],
    [
      `--known-bugs ${place} is of 2026-01-01, older than the built-in list of ${EMBEDDED_LIST.head.date}: leave it out, or add --known-bugs-older`,
    ],
  ]);
});

test("a folder may hold the archive, as a ConfigMap does, and the folder of a pod may be empty", async () => {
  const place = dirname(write("mounted/known-bugs.tar", readFileSync(tar)));
  assert.match((await check(place)).notices.join(), /mounted \(sha256:\w{64}\)/);
  assert.equal((await runWords("list", "--known-bugs", KNOWN_BUGS_FOLDER)).code, 0);
});

test("a runner reads no registry", () => {
  const remote = `oci://registry.example.com/bugs@sha256:${"a".repeat(64)}`;
  for (const given of [{ "known-bugs": remote }, { checks: [remote] }])
    assert.throws(
      () =>
        createCheckLoader({ ...NO_CHECK_FILES, only: [], skip: [], config: undefined, ...given }, createTestIo([]), {
          warn: () => {},
        }),
      {
        message: `${remote}: the runner reads files only: mount the archive that "skopeo copy docker://... oci-archive:FILE.tar" makes`,
      },
    );
});

test("that a list is old stands once at the end of a page, however many results it has", async () => {
  const spec = { date: "1969-05-01", knownUpTo: "5.3" };
  const old = writeList("old", [NEW], { ...LIST_HEAD, spec });
  const age = "Known bugs are listed up to 1969-05-01:";
  const flags = ["--recorded", "demo", "--known-bugs", old, "--known-bugs-older"];
  const target = ["--target", "demo/release"];
  const pages = [
    { words: ["check", ...target], formats: ["table", "wide", "markdown", "html"] },
    { words: ["check", ...target, ...target], formats: ["table", "markdown", "html"] },
    { words: ["plan", "--to", "4.18.6", "--release", "demo/release"], formats: ["table", "wide", "markdown", "html"] },
    { words: ["playbook", ...target], formats: ["markdown", "html"] },
  ];
  for (const { words, formats } of pages)
    for (const format of formats) {
      const { out, err } = await runWords(...words, ...flags, "-o", format);
      const text = out.replaceAll(/\s+/g, " ");
      const name = `${words.join(" ")} -o ${format}`;
      assert.equal(text.split(age).length, 2, `${name}: ${err}${out}`);
      assert.ok(format === "html" || text.indexOf(age) > text.length - 500, name);
    }
  const { notices } = await check(old, "--known-bugs-older");
  assert.equal(notices.filter((notice) => notice.startsWith(age)).length, 1);
});
