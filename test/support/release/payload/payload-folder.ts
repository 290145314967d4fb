import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { TestContext } from "node:test";
import type { ClusterFacts, Release } from "../../../../src/model/release.ts";
import { parseVersion } from "../../../../src/model/version.ts";
import type { Payload, PayloadOptions } from "../../../../src/release/payload/payload.ts";
import { readPayload } from "../../../../src/release/payload/payload-reader.ts";
import { selectRelease } from "../../../../src/release/payload/release-selection.ts";

/** A new temporary folder with these files, removed when the test ends. */
export function makeFolder(t: TestContext, files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), "preflight-release-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  return folder;
}

export const METADATA = '{"kind":"cincinnati-metadata-v0","version":"4.19.3","previous":["4.19.2"],"metadata":{}}';
export const IMAGES =
  '{"kind":"ImageStream","apiVersion":"image.openshift.io/v1","metadata":{"name":"4.19.3"},"spec":{"tags":[]}}';

/** A release payload in the layout of `oc adm release extract`. */
export function addReleaseFiles(files: Readonly<Record<string, string>>): Record<string, string> {
  return { "release-metadata": METADATA, "image-references": IMAGES, ...files };
}

export const PROFILE = "include.release.openshift.io/self-managed-high-availability";

export function formatManifest(
  kind: string,
  name: string,
  annotations: Readonly<Record<string, string>> = { [PROFILE]: "true" },
): string {
  return JSON.stringify({ apiVersion: "example.com/v1", kind, metadata: { name, annotations } });
}

/** A CustomResourceDefinition `<plural>.example.com`; `mark` is a property of its schema, to tell variants apart. */
export function formatCrd(
  plural: string,
  annotations: Readonly<Record<string, string>> = { [PROFILE]: "true" },
  mark = "spec",
): string {
  return JSON.stringify({
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `${plural}.example.com`, annotations },
    spec: {
      group: "example.com",
      scope: "Cluster",
      names: { kind: plural, plural },
      versions: [
        {
          name: "v1",
          served: true,
          storage: true,
          schema: {
            openAPIV3Schema: {
              type: "object",
              description: "Said at length.",
              properties: { [mark]: { type: "object" } },
            },
          },
        },
      ],
    },
  });
}

export function buildFacts(changes: Partial<ClusterFacts> = {}): ClusterFacts {
  const version = parseVersion("4.18.9");
  if (!version) throw new Error("no version");
  return {
    version,
    profile: "self-managed-high-availability",
    featureSet: "",
    customGates: { enabled: [], disabled: [] },
    capabilities: { known: [], enabled: [] },
    overrides: [],
    ...changes,
  };
}

/** The payload, for tests that are not about reading it. */
export async function readOrThrow(folder: string | readonly string[], options: PayloadOptions = {}): Promise<Payload> {
  const result = await readPayload(folder, options);
  if (result.kind === "failed") throw new Error(result.failure.message);
  return result.payload;
}

/** A payload with the objects that its manifests read, to compare it with another. */
export function withObjects(payload: Payload): object {
  return { ...payload, manifests: payload.manifests.map((one) => ({ ...one, read: one.read?.() })) };
}

/** The part of a payload with these files that applies. */
export async function readAndSelect(
  t: TestContext,
  files: Readonly<Record<string, string>>,
  changes: Partial<ClusterFacts> = {},
): Promise<Release> {
  return selectRelease(await readOrThrow(makeFolder(t, addReleaseFiles(files))), buildFacts(changes));
}

/** A ClusterVersion CRD whose status schema lists these capabilities. */
export function formatClusterVersionCrd(known: readonly string[]): string {
  const names = { type: "array", items: { type: "string", enum: known } };
  const capabilities = { type: "object", properties: { knownCapabilities: names } };
  const schema = { type: "object", properties: { status: { type: "object", properties: { capabilities } } } };
  const object = JSON.parse(formatCrd("clusterversions"));
  object.metadata.name = "clusterversions.config.openshift.io";
  object.spec.group = "config.openshift.io";
  object.spec.versions[0].schema.openAPIV3Schema = schema;
  return JSON.stringify(object);
}
