import assert from "node:assert/strict";
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { createImageProgress, formatImageProgress } from "../../src/cli/image-progress.ts";
import { writeKubeconfig } from "../cluster/mock-server.ts";
import { type JsonObject, objectAt, parseObject, textAt } from "../../src/model/json.ts";
import { buildImage, buildLayer, pushImage } from "../support/image-builder.ts";
import { type TestKey, buildClaim, createTestKey } from "../support/openpgp.ts";
import { runPreflight } from "../support/preflight.ts";
import { createTestIo } from "./test-io.ts";
import { createTestAuthority, createTestFolder, noRegistry, startRegistry } from "../support/registry.ts";

const DEMO = join(import.meta.dirname, "../../demo");
const DEMO_RELEASE = join(DEMO, "release");

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
    const unverified = /\nRelease image quay\.io\/ocp\/release@sha256:\w{64}:\n +could not be verified: [^]*?\n\n/;
    assert.match(result.out, unverified);
    assert.deepEqual({ ...result, out: result.out.replace(unverified, "\n\n") }, folder);
    const { out } = await runPreflight([...checked, "-o", "preflight-v1-json"], env);
    assert.equal(JSON.parse(out).targetImage, `quay.io/ocp/release@${image.manifest.digest}`);
  },
);

test(
  "the signature's verdict stands beside the image, by the keys that the cluster trusts",
  { skip: noRegistry },
  async (t) => {
    const authority = createTestAuthority(t);
    const { host, push } = await startRegistry(t, { authority });
    const image = await buildDemoImage();
    await pushImage(push, "ocp/release", "4.18.6", image);
    const [cache, store] = [createTestFolder(t), createTestFolder(t)];
    const [trusted, other] = [createTestKey("Demo <demo@example.com>"), createTestKey("Other <other@example.com>")];
    const cluster = recordTrust(createTestFolder(t), trusted, host, authority.ca.cert);
    const check = async (): Promise<JsonObject> => {
      const flags = ["--signature-store", store, "-o", "json"];
      const args = [
        "check",
        "--recorded",
        cluster,
        "--to-image",
        `quay.io/ocp/release@${image.manifest.digest}`,
        ...flags,
      ];
      const { out } = await runPreflight(args, { XDG_CACHE_HOME: cache });
      return objectAt(parseObject(out), "targetImageVerification");
    };
    const folder = join(store, image.manifest.digest.replace(":", "="));
    assert.deepEqual(await check(), {
      status: "Unknown",
      message: `could not be verified: no signature of it was found in ${store}`,
    });
    mkdirSync(folder);
    writeFileSync(join(folder, "signature-1"), other.sign(buildClaim(image.manifest.digest)));
    assert.deepEqual(await check(), {
      status: "Untrusted",
      message: "not signed by a key that this cluster trusts (it has 1 signature by others)",
    });
    writeFileSync(join(folder, "signature-2"), trusted.sign(buildClaim(image.manifest.digest)));
    const verified = await check();
    assert.equal(verified["status"], "Verified");
    assert.match(textAt(verified, "message") ?? "", /^verified by Demo <demo@example.com>, [0-9A-F]{40}$/);
  },
);

/** The demo cluster, recorded with the keys that it trusts, and with a mirror in place of the release's registry. */
function recordTrust(folder: string, { keyring }: TestKey, mirror: string, certificate: string): string {
  const cluster = parseObject(readFileSync(join(DEMO, "cluster.json"), "utf8"));
  const armored = `-----BEGIN PGP PUBLIC KEY BLOCK-----\n\n${keyring.toString("base64")}\n-----END PGP PUBLIC KEY BLOCK-----\n`;
  const mirrors = { source: "quay.io/ocp", mirrors: [`${mirror}/ocp`], mirrorSourcePolicy: "NeverContactSource" };
  const config = "/apis/config.openshift.io/v1";
  const recorded = {
    ...cluster,
    ...recordConfigMap("openshift-config-managed", "release-verification", { "verifier-public-key-demo": armored }),
    ...recordConfigMap("openshift-config", "registries", { [mirror.replace(":", "..")]: certificate }),
    [`${config}/images/cluster`]: {
      apiVersion: "config.openshift.io/v1",
      kind: "Image",
      metadata: { name: "cluster" },
      spec: { additionalTrustedCA: { name: "registries" } },
    },
    [`${config}/imagedigestmirrorsets`]: {
      items: [
        {
          apiVersion: "config.openshift.io/v1",
          kind: "ImageDigestMirrorSet",
          metadata: { name: "lan" },
          spec: { imageDigestMirrors: [mirrors] },
        },
      ],
    },
  };
  writeFileSync(join(folder, "cluster.json"), JSON.stringify(recorded));
  return folder;
}

function recordConfigMap(namespace: string, name: string, data: JsonObject): JsonObject {
  const object = { apiVersion: "v1", kind: "ConfigMap", metadata: { namespace, name }, data };
  return { [`/api/v1/namespaces/${namespace}/configmaps/${name}`]: object };
}

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

test("nothing is fetched for a cluster that does not answer", async (t) => {
  const cache = createTestFolder(t);
  const kubeconfig = writeKubeconfig(t, { cluster: { server: "http://127.0.0.1:9" } });
  const args = ["check", "--kubeconfig", kubeconfig, "--to-image", "127.0.0.1:9/ocp/release:4.18.6"];
  const { code, err } = await runPreflight(args, { XDG_CACHE_HOME: cache });
  assert.deepEqual([code, err], [1, "preflight: http://127.0.0.1:9 refused the connection\n"]);
  assert.deepEqual(readdirSync(cache), []);
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

test("the progress stands on one line of a terminal, is written only when it changes, and is cleared", () => {
  const [written, piped]: [string[], string[]] = [[], []];
  for (const [lines, isTerminal] of [
    [written, true],
    [piped, false],
  ] as const) {
    const { onProgress, done } = createImageProgress(createTestIo(lines, isTerminal));
    for (const receivedBytes of [0, 1000, 2 ** 20]) onProgress({ layer: 1, receivedBytes, totalBytes: 2 ** 20 });
    done();
  }
  assert.deepEqual(piped, []);
  assert.equal(written.length, 3);
  assert.match(written[1] ?? "", /^\r\u001b\[2KReading the release image, layer 1: \[#{20}\] 1\.0 of 1\.0 MiB$/);
  assert.equal(written[2], "\r\u001b[2K");
});
