import assert from "node:assert/strict";
import { chmodSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { buildKubeconfig } from "../../../../verify/api-server/kubeconfig.ts";
import { openImageCache } from "../../../../src/release/image/image-cache.ts";
import { startFaultServer } from "../../../../verify/reliability/fault-server.ts";
import { buildImage, buildLayer, computeDigest } from "../../../support/image-builder.ts";
import { writeLayout } from "../../../support/oci-layout.ts";
import { hasAllCases, nightly } from "../../../support/cases/sample.ts";
import { OTHER_USER, createSharedFolder, giveTo, needsOtherUser, needsRoot } from "../../../support/other-user.ts";
import { spawnPreflight } from "../../../../verify/shared/preflight.ts";
import { readDemoRelease } from "../../../support/cli/demo-image.ts";

/** A cache with a release that no registry has, and the arguments that name it. */
async function createCache(t: TestContext) {
  const base = createSharedFolder(t);
  const cache = openImageCache({ XDG_CACHE_HOME: base }, new Date());
  const { manifest } = buildImage([await buildLayer({})]);
  await cache.addContent(manifest.digest, manifest.bytes);
  const partial = await cache.createPartial();
  for (const name of ["release-manifests", "manifests"]) mkdirSync(join(partial, name), { mode: 0o700 });
  const files = Object.entries(readDemoRelease()).map(([path, text]) => {
    writeFileSync(join(partial, path), text, { mode: 0o600 });
    return { path, size: Buffer.byteLength(text), digest: computeDigest(Buffer.from(text)) };
  });
  await cache.addRelease(manifest.digest, partial, files);
  const reference = `127.0.0.1:9/ocp/release@${manifest.digest}`;
  return { base, args: ["--to-image", reference, "--only", "crd-skew", "-o", "json"] };
}

test("a release in the user's own cache is judged", async (t) => {
  const { base, args } = await createCache(t);
  const { code, out, err } = await spawnPreflight(["check", "--recorded", "demo", ...args], { XDG_CACHE_HOME: base });
  assert.deepEqual([code, err], [3, ""]);
  assert.match(JSON.parse(out).targetImage, /^127\.0\.0\.1:9\/ocp\/release@sha256:/);
});

for (const [name, mode, skip] of [
  ["a folder that all can write to", 0o777, false],
  ["a sticky folder", 0o1777, nightly],
] as const)
  test(
    `a release that another user has planted in ${name} is not judged`,
    { skip: needsRoot.skip || skip },
    async (t) => {
      const { base, args } = await createCache(t);
      giveTo(OTHER_USER, join(base, "preflight"));
      chmodSync(base, mode);
      const temporary = createSharedFolder(t);
      const env = { XDG_CACHE_HOME: base, TMPDIR: temporary };
      const { code, out, err } = await spawnPreflight(["check", "--recorded", "demo", ...args], env);
      assert.deepEqual([code, JSON.parse(out).failure.reason], [1, "PayloadUnreadable"]);
      const [warning = "", failure = "", ...more] = err.split("\n");
      assert.match(warning, /^warning: the cache .*\/preflight is not used, since .*, or set XDG_CACHE_HOME to /);
      assert.match(failure, /^preflight: the release image can't be read: /);
      assert.deepEqual([more, readdirSync(temporary)], [[""], []]);
    },
  );

test("root's cache is not used by another user, who reads the image itself", needsOtherUser, async (t) => {
  const { base, args } = await createCache(t);
  for (const path of readdirSync(base, { recursive: true, encoding: "utf8" })) chmodSync(join(base, path), 0o755);
  const env = { XDG_CACHE_HOME: base, TMPDIR: createSharedFolder(t, 0o1777) };
  const { code, err } = await spawnPreflight(["check", "--recorded", "demo", ...args], env, { uid: OTHER_USER });
  assert.equal(code, 1);
  assert.match(err, /^warning: the cache .*\/preflight is not used, since .*preflight belongs to user 0: /);
});

test("a fleet says once that there is no cache, reads the image, and leaves nothing", needsRoot, async (t) => {
  const folder = createSharedFolder(t);
  const image = writeLayout(join(folder, "image"), {
    release: buildImage([await buildLayer(readDemoRelease())], "oci"),
  });
  const shared = createSharedFolder(t, 0o777);
  const names = hasAllCases ? ["a", "b", "c"] : ["a", "b"];
  for (const name of names) {
    const server = await startFaultServer("demo/cluster.json", { isStruck: () => false, fault: () => {}, times: 0 });
    t.after(() => server.close());
    writeFileSync(join(folder, name), JSON.stringify(buildKubeconfig({ cluster: { server: server.url } })));
  }
  const temporary = createSharedFolder(t);
  const kubeconfigs = names.map((name) => join(folder, name)).join(",");
  const args = ["--kubeconfig", kubeconfigs, "--to-image", `oci:${image}`, "--results", join(folder, "results")];
  const { code, out, err } = await spawnPreflight(["fleet", ...args, "--parallel", "2", "-o", "json"], {
    XDG_CACHE_HOME: shared,
    TMPDIR: temporary,
  });
  assert.equal(code, 3);
  assert.equal(JSON.parse(out).clusters.length, names.length);
  assert.match(err, /^warning: the cache [^\n]* is not used, since others can write to [^\n]*\n$/);
  assert.deepEqual([readdirSync(temporary), readdirSync(shared)], [[], []]);
});
