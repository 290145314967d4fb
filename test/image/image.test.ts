import assert from "node:assert/strict";
import { execFile, spawnSync } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, suite, test } from "node:test";
import { promisify } from "node:util";
import { gunzipSync } from "node:zlib";
import { unpackTar } from "modern-tar";
import { spawnPreflight } from "../../verify/shared/preflight.ts";
import { startDemoApi } from "../support/image/demo-api.ts";

const ROOT = join(import.meta.dirname, "..", "..");
const DEMO = join(ROOT, "demo");
const IMAGE = "localhost/target-release-preflight:test";
const CYCLE = ["preflight", "--format=preflight-v1-json", "--interval", "0", "--target", "/demo/release"];
const execute = promisify(execFile);

type ImageDocument = {
  readonly executionStatus: string;
  readonly sourceVersion: string;
  readonly risks: readonly { readonly name: string; readonly message: string }[];
  readonly checks: readonly object[];
};

type OciDescriptor = { readonly digest: string };
type OciIndex = { readonly manifests: readonly [OciDescriptor] };
type OciManifest = { readonly config: OciDescriptor; readonly layers: readonly OciDescriptor[] };
type OciConfig = { readonly created: string; readonly history: readonly { readonly created: string }[] };

suite("the image", { skip: findSkipReason() }, () => {
  const at = { folder: "", container: "", entrypoint: [""], user: "" };

  before(async () => {
    at.folder = await mkdtemp(join(tmpdir(), "preflight-image-"));
    await execute(join(ROOT, "tools", "image.sh"), ["--storage", at.folder, "--tag", IMAGE]);
    at.container = (await buildah("from", "--pull-never", IMAGE)).trim();
    const { OCIv1 } = JSON.parse(await buildah("inspect", "--type", "image", IMAGE));
    [at.entrypoint, at.user] = [OCIv1.config.Entrypoint, OCIv1.config.User];
  });

  after(async () => {
    await buildah("rm", "--all").catch(() => {});
    await rm(at.folder, { recursive: true, force: true });
  });

  function buildah(...args: readonly string[]): Promise<string> {
    const storage = ["--root", join(at.folder, "root"), "--runroot", join(at.folder, "run")];
    return execute("buildah", ["--storage-driver", "vfs", ...storage, ...args]).then(({ stdout }) => stdout);
  }

  /** Runs the image's entrypoint with arguments, as in a container on the host's network. */
  async function runImage(volumes: readonly string[], ...args: readonly string[]): Promise<string> {
    const mounts = volumes.flatMap((volume) => ["--volume", volume]);
    const how = ["--isolation", "chroot", "--user", at.user, ...mounts];
    return buildah("run", ...how, at.container, "--", ...at.entrypoint, ...args);
  }

  test("prints its version", async () => {
    const { version } = JSON.parse(await readFile(join(ROOT, "package.json"), "utf8"));
    assert.equal(await runImage([], "--version"), `preflight ${version}\n`);
  });

  test("does not run as root by default", () => {
    assert.match(at.user, /^[1-9]\d*$/);
  });

  test("has no time of its build anywhere, so that each build gives the same digest", async () => {
    const layout = join(at.folder, "layout");
    await buildah("push", "--quiet", IMAGE, `oci:${layout}`);
    const readBlob = (digest: string) => readFile(join(layout, "blobs", ...digest.split(":")));
    const { manifests }: OciIndex = JSON.parse(await readFile(join(layout, "index.json"), "utf8"));
    const { config, layers }: OciManifest = JSON.parse((await readBlob(manifests[0].digest)).toString());
    const { created, history }: OciConfig = JSON.parse((await readBlob(config.digest)).toString());
    const times = [created, ...history.map((step) => step.created)].map((time) => Date.parse(time));
    for (const { digest } of layers) {
      const headers = (await unpackTar(gunzipSync(await readBlob(digest)))).map(({ header }) => header);
      times.push(...headers.map(({ mtime }) => Number(mtime)));
    }
    assert.ok(times.length > 20, "it has files");
    assert.deepEqual([...new Set(times)], [0]);
  });

  test("runs a cycle against an API server with the same result as the executable on a recording", async () => {
    const api = await startDemoApi(DEMO);
    try {
      const kubeconfig = join(at.folder, "kubeconfig");
      await writeFile(kubeconfig, api.kubeconfig, { mode: 0o644 });
      const volumes = [`${DEMO}:/demo:ro`, `${kubeconfig}:/kubeconfig:ro`];
      const live: ImageDocument = JSON.parse(await runImage(volumes, ...CYCLE, "--kubeconfig", "/kubeconfig"));
      const recorded = await spawnPreflight([...CYCLE.slice(0, -1), join(DEMO, "release"), "--recorded", DEMO]);
      const expected: ImageDocument = JSON.parse(recorded.out);
      assert.equal(live.executionStatus, "completed");
      assert.deepEqual(live.checks, expected.checks);
      assert.deepEqual(
        live.risks.map(({ name, message }) => [name, message]),
        expected.risks.map(({ name, message }) => [name, message]),
      );
      assert.ok(live.risks.length > 0);
      assert.deepEqual([...api.methods], ["GET"]);
    } finally {
      api.close();
    }
  });
});

/** The reason that an image can't be built here, or false. */
function findSkipReason(): string | false {
  if (process.platform !== "linux") return "images are built on Linux";
  if (spawnSync("buildah", ["--version"]).status !== 0) return "buildah is not installed";
  if (process.getuid?.() !== 0) return "buildah's chroot isolation is run as root here";
  return false;
}
