import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { readPayload } from "../../../src/release/payload/payload-reader.ts";
import { findUnknownFeatureSets, getCapabilities } from "../../../src/release/payload/inclusion.ts";
import { openScratchFolder } from "../scratch.ts";
import { joinTexts, splitTexts, type FuzzTarget } from "../target.ts";

const DEMO = join(import.meta.dirname, "../../../demo/release");
const NAMES = ["release-metadata", "image-references", "a.yaml", "b.json"];
const MANIFESTS = readdirSync(DEMO).filter((name) => name.endsWith(".yaml"));
const [METADATA = "", REFERENCES = ""] = NAMES.map((name) => (name.includes(".") ? "" : read(name)));
const GATE = {
  apiVersion: "config.openshift.io/v1",
  kind: "FeatureGate",
  metadata: { name: "cluster", annotations: { "release.openshift.io/feature-set": "Default,OKD" } },
  status: { featureGates: [{ version: "4.19.3", enabled: [{ name: "A" }] }] },
};
const LIST = { kind: "ConfigMapList", apiVersion: "v1", items: [{ metadata: { name: "a" }, data: {} }] };
const FOLDER = openScratchFolder("release");

/** The folder of a release is read, or refused in one line; what can't be used of it is a problem. */
export const target: FuzzTarget = {
  seeds: MANIFESTS.map((name) => joinTexts(METADATA, REFERENCES, read(name), JSON.stringify(GATE))).concat(
    joinTexts(METADATA, REFERENCES, "a: '{{.ReleaseImage}}'\n", JSON.stringify(LIST)),
  ),
  maxBytes: 8192,
  run: async (input) => {
    for (const [index, text] of splitTexts(input).slice(0, NAMES.length).entries())
      FOLDER.write(NAMES[index] ?? "", text);
    const result = await readPayload(FOLDER.path, { targetVersion: "4.19.3" });
    if (result.kind === "failed") return;
    for (const manifest of result.payload.manifests) {
      getCapabilities(manifest);
      findUnknownFeatureSets(manifest);
    }
  },
};

function read(name: string): string {
  return readFileSync(join(DEMO, name), "utf8");
}
