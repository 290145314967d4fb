import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { formatImageProgress } from "../../src/cli/image-progress.ts";
import { buildImage, buildLayer, pushImage } from "../support/image-builder.ts";
import { runPreflight } from "../support/preflight.ts";
import { createTestAuthority, createTestFolder, noRegistry, startRegistry } from "../support/registry.ts";

const DEMO_RELEASE = join(import.meta.dirname, "../../demo/release");

async function buildDemoImage() {
  const files = readdirSync(DEMO_RELEASE).map((name) => [
    `release-manifests/${name}`,
    readFileSync(join(DEMO_RELEASE, name), "utf8"),
  ]);
  return buildImage([await buildLayer(Object.fromEntries(files))]);
}

test(
  "check --to-image gives the result of the release's folder, and names the image",
  { skip: noRegistry },
  async (t) => {
    const authority = createTestAuthority(t);
    const { host, push } = await startRegistry(t, { authority });
    const image = await buildDemoImage();
    await pushImage(push, "ocp/release", "4.18.6", image);
    const env = { XDG_CACHE_HOME: createTestFolder(t) };
    const flags = ["--registry-ca", authority.ca.certFile, "--mirror", `quay.io/ocp=${host}/ocp`];
    const folder = await runPreflight(["check", "--recorded", "demo", "--target", "demo/release"]);
    const checked = ["check", "--recorded", "demo", "--to-image", "quay.io/ocp/release:4.18.6", ...flags];
    const result = await runPreflight(checked, env);
    assert.deepEqual(result, folder);
    const { out } = await runPreflight([...checked, "-o", "preflight-v1-json"], env);
    assert.equal(JSON.parse(out).targetImage, `quay.io/ocp/release@${image.manifest.digest}`);
  },
);

test("an image that can't be read is one line, and a failed document", async (t) => {
  const env = { XDG_CACHE_HOME: createTestFolder(t) };
  const { code, out, err } = await runPreflight(
    ["check", "--recorded", "demo", "--to-image", "oci:nowhere", "-o", "preflight-v1-json"],
    env,
  );
  assert.equal(code, 1);
  assert.match(err, /^preflight: the release image can't be read: oci:nowhere is not an OCI image \(.*ENOENT\)\n$/);
  assert.equal(JSON.parse(out).failure.reason, "PayloadUnreadable");
});

for (const [flags, message] of [
  [
    ["--to-image", "ocp-release:4.20.3"],
    /^preflight: --to-image: "ocp-release:4.20.3" is not an image reference: use HOST/,
  ],
  [["--to-image", "quay.io/a/b"], /^preflight: --to-image: "quay.io\/a\/b" names no image of its repository: add :TAG/],
  [["--to-image", "quay.io/a/b:1", "--mirror", "x"], /^preflight: --mirror: "x" is not a mirror: use HOST\/REPOSITORY/],
  [
    ["--to-image", "quay.io/a/b:1", "--target", "d"],
    /^preflight: --to-image names the target release: remove --target\n/,
  ],
] as const) {
  test(`check ${flags.join(" ")} is wrong usage`, async () => {
    const { code, err } = await runPreflight(["check", "--recorded", "demo", ...flags]);
    assert.equal(code, 2);
    assert.match(err, message);
  });
}

test("the progress is a bar with bytes", () => {
  const progress = { layer: 2, receivedBytes: 3 * 2 ** 20, totalBytes: 12 * 2 ** 20 };
  assert.equal(
    formatImageProgress(progress),
    "Reading the release image, layer 2: [#####---------------] 3.0 of 12.0 MiB",
  );
  assert.match(formatImageProgress({ layer: 1, receivedBytes: 0, totalBytes: 0 }), /: \[-{20}\] 0\.0 of 0\.0 MiB$/);
});
