import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { chmodSync, cpSync, mkdirSync, realpathSync, rmSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import test from "node:test";
import type { PayloadOptions } from "../../../src/release/payload/payload.ts";
import { MAX_FILE_BYTES } from "../../../src/release/payload/bounded-file.ts";
import { MAX_TOTAL_BYTES, readPayload } from "../../../src/release/payload/payload-reader.ts";
import {
  IMAGES,
  METADATA,
  formatCrd,
  makeFolder,
  formatManifest,
  addReleaseFiles,
  readOrThrow,
  withObjects,
} from "../../support/release/payload/payload-folder.ts";

const RELEASE = { "release-manifests/release-metadata": METADATA, "release-manifests/image-references": IMAGES };

async function readFailure(
  folder: string | readonly string[],
  options: PayloadOptions = {},
): Promise<[string, string]> {
  const result = await readPayload(folder, options);
  assert.equal(result.kind, "failed");
  if (result.kind !== "failed") return ["", ""];
  assert.doesNotMatch(result.failure.message, /\n/);
  return [result.failure.reason, result.failure.message];
}

test("a release image's root and its two folders yield the same payload", async (t) => {
  const root = makeFolder(t, {
    ...RELEASE,
    "release-manifests/b.yaml": formatManifest("Thing", "b"),
    "manifests/a.yaml": formatCrd("widgets"),
    "elsewhere/c.yaml": formatManifest("Thing", "c"),
  });
  const whole = await readOrThrow(root, { image: "registry.example/release@sha256:0" });
  assert.equal(whole.kind, "payload");
  assert.equal(whole.version.text, "4.19.3");
  assert.equal(whole.image, "registry.example/release@sha256:0");
  assert.deepEqual(whole.problems, []);
  assert.deepEqual(
    whole.manifests.map(({ file, name }) => [file, name]),
    [
      ["release-manifests/b.yaml", "b"],
      ["manifests/a.yaml", "widgets.example.com"],
    ],
  );
  const parts = await readOrThrow([join(root, "release-manifests"), join(root, "manifests")]);
  assert.deepEqual(withObjects({ ...parts, image: whole.image }), withObjects(whole));
  const swapped = await readOrThrow([join(root, "manifests"), join(root, "release-manifests")]);
  assert.equal(swapped.digest, whole.digest);
});

test("the output of oc adm release extract is a payload, and its folders are flat", async (t) => {
  const folder = makeFolder(
    t,
    addReleaseFiles({ "a.yaml": formatCrd("widgets"), "sub/b.yaml": formatCrd("gadgets"), "notes.txt": "- nothing" }),
  );
  const payload = await readOrThrow(folder);
  assert.equal(payload.kind, "payload");
  assert.deepEqual(
    payload.manifests.map(({ file }) => file),
    ["a.yaml"],
  );
});

test("walks a plain folder in name order, and skips hidden folders", async (t) => {
  const folder = makeFolder(t, {
    "b.yml": formatManifest("Thing", "b"),
    "a/z.json": formatManifest("Thing", "z"),
    "B.yaml": formatManifest("Thing", "B"),
    ".git/x.yaml": "not: [a, manifest",
    "manifests/y.yaml": formatManifest("Thing", "y"),
  });
  const payload = await readOrThrow(folder, { targetVersion: "4.19.0" });
  assert.equal(payload.kind, "folder");
  assert.deepEqual(
    payload.manifests.map(({ file }) => file),
    ["B.yaml", "a/z.json", "b.yml", "manifests/y.yaml"],
  );
  assert.deepEqual(payload.problems, []);
});

test("an invalid target folder fails with one line that explains what to do", async (t) => {
  const folder = makeFolder(t, { "a.yaml": formatManifest("Thing", "a"), "empty/notes.txt": "nothing" });
  const cases: readonly (readonly [string, RegExp])[] = [
    [join(folder, "nowhere"), /does not exist: give the folder/],
    [join(folder, "a.yaml"), /is not a folder: give the folder/],
    [join(folder, "empty"), /has no manifest .*: give the folder/],
  ];
  for (const [path, message] of cases) {
    const [reason, text] = await readFailure(path, { targetVersion: "4.19.0" });
    assert.equal(reason, "PayloadUnreadable");
    assert.match(text, message);
  }
  assert.match((await readFailure([], {}))[1], /no target folder/);
});

test(
  "a folder without permission to list it fails",
  { skip: process.getuid?.() === 0 && "root may read everything" },
  async (t) => {
    const folder = makeFolder(t, { "a.yaml": formatManifest("Thing", "a") });
    chmodSync(folder, 0o300);
    const [, message] = await readFailure(folder, { targetVersion: "4.19.0" });
    chmodSync(folder, 0o700);
    assert.equal(message, `target folder ${folder} can't be read: EACCES`);
  },
);

test("rejects two payloads in one list", async (t) => {
  const a = makeFolder(t, addReleaseFiles({ "a.yaml": formatCrd("a") }));
  const b = makeFolder(t, addReleaseFiles({ "a.yaml": formatCrd("a") }));
  assert.deepEqual(await readFailure([a, b]), [
    "PayloadUnreadable",
    `${a} and ${b} are two release payloads: give only one of them`,
  ]);
});

test("a payload's version must be valid and consistent, and must be given if the payload has none", async (t) => {
  const files = { "a.yaml": formatManifest("Thing", "a") };
  const metadata = (version: string) => JSON.stringify({ kind: "cincinnati-metadata-v0", version });
  const named = IMAGES.replace("4.19.3", "4.19.4");
  const cases: readonly (readonly [
    files: Record<string, string>,
    asked: string | undefined,
    reason: string,
    message: RegExp,
  ])[] = [
    [files, undefined, "InvalidVersion", /give --target-version$/],
    [files, "next", "InvalidVersion", /--target-version next is not a version/],
    [files, "v4.19.3", "InvalidVersion", /is not a version/],
    [{ ...files, "image-references": IMAGES }, undefined, "InvalidVersion", /give --target-version$/],
    [
      { ...files, "image-references": IMAGES },
      "4.19.9",
      "InvalidVersion",
      /4\.19\.9 differs from the target folder's 4\.19\.3/,
    ],
    [addReleaseFiles(files), "4.19.9", "InvalidVersion", /4\.19\.9 differs from the target folder's 4\.19\.3/],
    [
      { ...addReleaseFiles(files), "release-metadata": metadata("4.19") },
      undefined,
      "InvalidVersion",
      /names the version "4\.19", which is not a version/,
    ],
    [{ ...addReleaseFiles(files), "release-metadata": "{}" }, undefined, "PayloadUnreadable", /kind none/],
    [
      { ...addReleaseFiles(files), "release-metadata": "{" },
      undefined,
      "PayloadUnreadable",
      /release-metadata is damaged/,
    ],
    [
      { ...addReleaseFiles(files), "image-references": "" },
      undefined,
      "PayloadUnreadable",
      /image-references is damaged/,
    ],
    [
      { ...addReleaseFiles(files), "image-references": named },
      undefined,
      "PayloadUnreadable",
      /names 4\.19\.3, but image-references names 4\.19\.4/,
    ],
  ];
  for (const [content, asked, reason, message] of cases) {
    const failure = await readFailure(makeFolder(t, content), asked === undefined ? {} : { targetVersion: asked });
    assert.equal(failure[0], reason);
    assert.match(failure[1], message);
  }
  const payload = await readOrThrow(makeFolder(t, addReleaseFiles(files)), { targetVersion: "4.19.3" });
  assert.equal(payload.version.text, "4.19.3");
});

test("the Kubernetes version comes from the images", async (t) => {
  const images = (...versions: readonly (readonly [string, string])[]) =>
    JSON.stringify({
      metadata: { name: "4.19.3" },
      spec: { tags: versions.map(([name, text]) => ({ name, annotations: { "io.openshift.build.versions": text } })) },
    });
  const cases: readonly (readonly [string, string | undefined])[] = [
    [IMAGES, undefined],
    [images(["hyperkube", "kubernetes=1.32.5"], ["pod", "kubernetes=1.31.0"]), "1.32.5"],
    [images(["tools", "kubectl=1.30.0,kubernetes=1.32.5"], ["pod", "kubernetes=1.32.5"]), "1.32.5"],
    [images(["tools", "kubernetes=1.32.5"], ["pod", "kubernetes=1.31.0"]), undefined],
    [images(["hyperkube", "kubernetes=latest"]), undefined],
  ];
  for (const [text, version] of cases) {
    const payload = await readOrThrow(
      makeFolder(t, { ...addReleaseFiles({ "a.yaml": formatCrd("a") }), "image-references": text }),
    );
    assert.equal(payload.kubernetes, version);
  }
});

test("the digest depends only on names and contents", async (t) => {
  const files = addReleaseFiles({ "a.yaml": formatCrd("a"), "b.yaml": formatCrd("b") });
  const digestOf = async (changed: Record<string, string>) => (await readOrThrow(makeFolder(t, changed))).digest;
  const digest = await digestOf(files);
  assert.match(digest, /^sha256:[0-9a-f]{64}$/);
  assert.equal(await digestOf(Object.fromEntries(Object.entries(files).toReversed())), digest);
  assert.equal(await digestOf({ ...files, "notes.txt": "no manifest" }), digest);
  assert.notEqual(await digestOf({ ...files, "a.yaml": formatCrd("b"), "b.yaml": formatCrd("a") }), digest);
  assert.notEqual(await digestOf({ ...files, "c.yaml": "" }), digest);
  assert.notEqual(await digestOf({ ...files, "a.yaml": `${formatCrd("a")}\n` }), digest);
  assert.notEqual(await digestOf({ ...files, "image-references": `${IMAGES} ` }), digest);
});

test("splits a file's Lists, documents and JSON", async (t) => {
  const inner = { apiVersion: "v1", kind: "List", items: [JSON.parse(formatManifest("Thing", "b"))] };
  const list = JSON.stringify({
    apiVersion: "v1",
    kind: "List",
    items: [JSON.parse(formatManifest("Thing", "a")), inner],
  });
  const typed = JSON.stringify({
    apiVersion: "example.com/v1",
    kind: "ThingList",
    items: [{ metadata: { name: "c" } }],
  });
  const named = JSON.stringify({ apiVersion: "example.com/v1", kind: "AllowList", metadata: { name: "d" }, items: [] });
  const folder = makeFolder(
    t,
    addReleaseFiles({ "a.json": list, "b.yaml": `---\n${typed}\n---\n---\n${named}\n`, "c.yaml": "# none\n" }),
  );
  const payload = await readOrThrow(folder);
  assert.deepEqual(
    payload.manifests.map(({ apiVersion, kind, name }) => `${apiVersion} ${kind} ${name}`),
    ["example.com/v1 Thing a", "example.com/v1 Thing b", "example.com/v1 Thing c", "example.com/v1 AllowList d"],
  );
  assert.deepEqual(payload.problems, []);
});

test("reports invalid files as problems by name, and reads the others", async (t) => {
  const files = {
    "duplicate.yaml": "apiVersion: v1\nkind: A\nkind: B\n",
    "list.yaml": "- a\n",
    "nameless.yaml": "apiVersion: v1\nkind: Thing\n",
    "kindless.yaml": "apiVersion: v1\nmetadata:\n  name: x\n",
    "syntax.yaml": "a: [\n",
    "unquoted.yaml": "apiVersion: v1\nkind: Thing\nmetadata:\n  name: x\n  annotations:\n    a: true\n",
    "versionless.yaml": "kind: Thing\nmetadata:\n  name: x\n",
    "whole.yaml": formatManifest("Thing", "whole"),
  };
  const folder = makeFolder(t, addReleaseFiles(files));
  writeFileSync(join(folder, "binary.yaml"), Buffer.from([0x61, 0x3a, 0x20, 0xff, 0xfe]));
  writeFileSync(join(folder, "large.yaml"), "");
  truncateSync(join(folder, "large.yaml"), MAX_FILE_BYTES + 1);
  const payload = await readOrThrow(folder);
  assert.deepEqual(
    payload.manifests.map(({ name }) => name),
    ["whole"],
  );
  const found = payload.problems.map(({ reason, where, message }) => [where, reason, message]);
  assert.deepEqual(found, [
    ["binary.yaml", "InvalidYaml", "it is not UTF-8 text"],
    ["duplicate.yaml", "InvalidYaml", "line 3: duplicated mapping key"],
    ["kindless.yaml", "InvalidManifest", "an object named x has no kind"],
    ["large.yaml", "TooLarge", "it is larger than 16 MiB"],
    ["list.yaml", "InvalidManifest", "a document is not an object"],
    ["nameless.yaml", "InvalidManifest", "a Thing has no metadata.name"],
    ["syntax.yaml", "InvalidYaml", found.find(([where]) => where === "syntax.yaml")?.[2]],
    ["unquoted.yaml", "InvalidManifest", "Thing x: annotation a is not a string: quote its value"],
    ["versionless.yaml", "InvalidManifest", "Thing x has no apiVersion"],
  ]);
  assert.match(found.find(([where]) => where === "syntax.yaml")?.[2] ?? "", /^line \d: /);
});

test("reports only a few problems for a file without any manifests", async (t) => {
  const folder = makeFolder(
    t,
    addReleaseFiles({ "a.yaml": "---\nx\n".repeat(200_000), "b.yaml": formatManifest("Thing", "b") }),
  );
  const payload = await readOrThrow(folder);
  assert.equal(payload.problems.length, 10);
  assert.equal(payload.manifests.length, 1);
});

test("reads a List of very many items", async (t) => {
  const items = Array.from({ length: 75_000 }, (_, i) => ({
    apiVersion: "v1",
    kind: "A",
    metadata: { name: `a${i}` },
  }));
  const folder = makeFolder(t, { "a.json": JSON.stringify({ apiVersion: "v1", kind: "List", items }) });
  assert.equal((await readOrThrow(folder, { targetVersion: "4.19.0" })).manifests.length, 75_000);
});

test("reads an oversized folder up to the limit, and reports it", async (t) => {
  const folder = makeFolder(t, { "a.yaml": formatManifest("Thing", "a"), "z.yaml": formatManifest("Thing", "z") });
  const count = MAX_TOTAL_BYTES / MAX_FILE_BYTES + 1;
  for (let i = 0; i < count; i += 1) {
    const file = join(folder, `b${String(i).padStart(3, "0")}.yaml`);
    writeFileSync(file, "");
    truncateSync(file, MAX_FILE_BYTES);
  }
  const payload = await readOrThrow(folder, { targetVersion: "4.19.0" });
  assert.deepEqual(
    payload.manifests.map(({ name }) => name),
    ["a"],
  );
  const [last] = payload.problems.slice(-1);
  assert.deepEqual([last?.reason, last?.where], ["TooLarge", "b015.yaml"]);
  assert.match(last?.message ?? "", /more than 256 MiB: this file and the later ones were not read/);
});

test("rejects pipes, folders and links to the outside, and follows internal links once", async (t) => {
  const outside = makeFolder(t, {
    "secret.yaml": formatManifest("Thing", "secret"),
    "more/a.yaml": formatManifest("Thing", "more"),
  });
  const folder = makeFolder(t, {
    "a.yaml": formatManifest("Thing", "a"),
    ".data/b.yaml": formatManifest("Thing", "b"),
  });
  execFileSync("mkfifo", [join(folder, "pipe.yaml")]);
  symlinkSync("pipe.yaml", join(folder, "to-pipe.yaml"));
  symlinkSync(join(outside, "secret.yaml"), join(folder, "out.yaml"));
  symlinkSync("/dev/zero", join(folder, "zero.yaml"));
  symlinkSync(join(outside, "more"), join(folder, "out"));
  symlinkSync("nowhere", join(folder, "broken.yaml"));
  symlinkSync(".", join(folder, "self"));
  symlinkSync("a.yaml", join(folder, "b.yaml"));
  symlinkSync(".data/b.yaml", join(folder, "c.yaml"));
  const payload = await readOrThrow(folder, { targetVersion: "4.19.0" });
  assert.deepEqual(
    payload.manifests.map(({ file, name }) => [file, name]),
    [
      ["a.yaml", "a"],
      ["c.yaml", "b"],
    ],
  );
  assert.deepEqual(payload.problems.map(({ where, reason }) => [where, reason]).toSorted(), [
    ["broken.yaml", "Absent"],
    ["out", "OutsideFolder"],
    ["out.yaml", "OutsideFolder"],
    ["pipe.yaml", "NotAFile"],
    ["to-pipe.yaml", "NotAFile"],
    ["zero.yaml", "OutsideFolder"],
  ]);
});

test("the target folder may be a link, but its contents may not link out of it", async (t) => {
  const folder = makeFolder(t, addReleaseFiles({ "a.yaml": formatCrd("a") }));
  const root = makeFolder(t, {});
  symlinkSync(folder, join(root, "target"));
  assert.equal((await readOrThrow(join(root, "target"))).digest, (await readOrThrow(folder)).digest);
  symlinkSync(folder, join(root, "release-manifests"));
  assert.match((await readFailure(root))[1], /release-manifests is a symbolic link to a path outside of/);
  rmSync(join(root, "release-manifests"));
  cpSync(realpathSync(folder), join(root, "real"), { recursive: true });
  symlinkSync("real", join(root, "release-manifests"));
  assert.equal((await readOrThrow(root)).manifests.length, 1);
});

test("renders the operator's own manifests, and only warns if one fails, unless it could hold a CRD", async (t) => {
  const simple = formatManifest("Thing", "simple").replace("simple", "{{.ReleaseImage}}");
  const rule = `${formatManifest("Rule", "rule")}\n# {{ "{{ $labels.name }}" }}\n`;
  const condition = `{{if .Old}}\n${formatManifest("Thing", "old")}\n{{end}}`;
  const root = makeFolder(t, {
    ...RELEASE,
    "manifests/1.yaml": simple,
    "manifests/2.yaml": rule,
    "manifests/3.yaml": condition,
    "manifests/4.yaml": `${condition}\n${formatCrd("widgets")}`,
    "manifests/6.yaml": `${condition}\n# preflight.openshift.io/checks: v1alpha1\n`,
    "release-manifests/5.yaml": `${formatManifest("Rule", "alerts")}\n# {{ $labels.name }}\n`,
  });
  const payload = await readOrThrow(root);
  assert.deepEqual(
    payload.manifests.map(({ name }) => name),
    ["alerts", "rendered", "rule"],
  );
  assert.deepEqual(
    payload.warnings.map(({ where, reason }) => [where, reason]),
    [["manifests/3.yaml", "UnrenderedTemplate"]],
  );
  assert.deepEqual(
    payload.problems.map(({ where, reason }) => [where, reason]),
    [
      ["manifests/4.yaml", "UnrenderedTemplate"],
      ["manifests/6.yaml", "UnrenderedTemplate"],
    ],
  );
});

test("keeps only the relevant annotations of a manifest, and drops descriptions from a schema", async (t) => {
  const noted = { "example.com/note": "long", "release.openshift.io/feature-set": "Default" };
  const folder = makeFolder(t, addReleaseFiles({ "a.yaml": formatCrd("widgets", noted) }));
  mkdirSync(join(folder, "nothing"));
  const [widgets] = (await readOrThrow(folder)).manifests;
  assert.deepEqual([...(widgets?.annotations ?? [])], [["release.openshift.io/feature-set", "Default"]]);
  assert.equal(widgets?.crd?.versions[0]?.schema, '{"properties":{"spec":{"type":"object"}},"type":"object"}');
});
