import assert from "node:assert/strict";
import { parseImageManifest, selectPlatform } from "../../../src/release/image/image-manifest.ts";
import type { FuzzTarget } from "../target.ts";

const DESCRIPTOR = {
  digest: `sha256:${"a".repeat(64)}`,
  size: 10,
  mediaType: "application/vnd.oci.image.layer.v1.tar",
};
const MANIFEST = { schemaVersion: 2, config: DESCRIPTOR, layers: [DESCRIPTOR, { ...DESCRIPTOR, size: 0 }] };
const PLATFORM = { os: "linux", architecture: "amd64" };
const INDEX = { schemaVersion: 2, manifests: [{ ...DESCRIPTOR, platform: PLATFORM }] };

/** What a manifest names is a digest with a size. */
export const target: FuzzTarget = {
  seeds: [JSON.stringify(MANIFEST), JSON.stringify(INDEX), '{"schemaVersion":1}'],
  run: (input) => {
    const manifest = parseImageManifest(input.toString("utf8"), "quay.io/org/a");
    const named =
      manifest.kind === "image"
        ? [manifest.config, ...manifest.layers]
        : [selectPlatform(manifest.manifests, "amd64", "x64", "it")];
    for (const { digest, size } of named) {
      assert.match(digest, /^sha(?:256:[0-9a-f]{64}|512:[0-9a-f]{128})$/);
      assert.ok(Number.isSafeInteger(size) && size >= 0);
    }
  },
};
