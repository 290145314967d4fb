import { mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { type JsonObject, parseObject } from "../../../src/model/json.ts";
import { buildImage, buildLayer, pushImage } from "../image-builder.ts";
import { type TestKey, buildClaim, createTestKey } from "../../../verify/signatures/openpgp.ts";
import { buildKeyData } from "../../../verify/signatures/release-trust.ts";
import { createTestAuthority, createTestFolder, startRegistry } from "../registry.ts";

const DEMO = join(import.meta.dirname, "../../../demo");
const DEMO_RELEASE = join(DEMO, "release");

/** The files of the demo's release, as an image has them. */
export function readDemoRelease(): Readonly<Record<string, string>> {
  const names = readdirSync(DEMO_RELEASE);
  return Object.fromEntries(
    names.map((name) => [`release-manifests/${name}`, readFileSync(join(DEMO_RELEASE, name), "utf8")]),
  );
}

async function buildDemoImage() {
  return buildImage([await buildLayer(readDemoRelease())]);
}

export function addSignature(store: string, digest: string, key: TestKey, number: number): void {
  const folder = join(store, digest.replace(":", "="));
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, `signature-${number}`), key.sign(buildClaim(digest)));
}

/** A registry with the demo's release, mirrored for a cluster that trusts a key. */
export async function startDemoRegistry(t: TestContext) {
  const authority = createTestAuthority(t);
  const { host, push } = await startRegistry(t, { authority });
  const { manifest, ...image } = await buildDemoImage();
  await pushImage(push, "ocp/release", "4.18.6", { manifest, ...image });
  const key = createTestKey("Demo <demo@example.com>");
  const cluster = recordTrust(createTestFolder(t), {
    key,
    digest: manifest.digest,
    mirror: host,
    certificate: authority.ca.cert,
  });
  const store = createTestFolder(t);
  const mirror = ["--mirror", `quay.io/ocp=${host}/ocp`, "--registry-ca", authority.ca.certFile];
  return {
    host,
    cluster,
    key,
    store,
    image: manifest,
    flags: ["--signature-store", store, ...mirror],
    env: { XDG_CACHE_HOME: createTestFolder(t) },
  };
}

/** The demo cluster, recorded with the keys that it trusts, and with a mirror in place of the release's registry. */
function recordTrust(
  folder: string,
  trust: { readonly key: TestKey; readonly digest: string; readonly mirror: string; readonly certificate: string },
): string {
  const { key, digest, mirror, certificate } = trust;
  const cluster = parseObject(readFileSync(join(DEMO, "cluster.json"), "utf8"));
  const mirrors = { source: "quay.io/ocp", mirrors: [`${mirror}/ocp`], mirrorSourcePolicy: "NeverContactSource" };
  const config = "/apis/config.openshift.io/v1";
  const recorded = {
    ...cluster,
    ...buildConfigMap("openshift-config-managed", "release-verification", {
      data: buildKeyData(key),
    }),
    ...buildConfigMap("openshift-config-managed", "mirrored-release-signatures", { binaryData: {} }),
    [`/api/v1/namespaces/openshift-config-managed/configmaps/${digest.replace(":", "-")}`]: {
      error: "404 not found",
      what: "object",
    },
    ...buildConfigMap("openshift-config", "registries", { data: { [mirror.replace(":", "..")]: certificate } }),
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

export function buildConfigMap(namespace: string, name: string, content: JsonObject): JsonObject {
  const object = { apiVersion: "v1", kind: "ConfigMap", metadata: { namespace, name }, ...content };
  return { [`/api/v1/namespaces/${namespace}/configmaps/${name}`]: object };
}
