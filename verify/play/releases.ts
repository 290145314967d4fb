import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { loadAll } from "js-yaml";
import { type JsonObject, isObject, listAt, objectAt, textAt } from "../../src/model/json.ts";
import { SHARED } from "../api-server/control-plane.ts";

/** A manifest of a payload, by the name of its file. */
export type PlayedManifest = { readonly file: string; readonly manifest: JsonObject };

const INCLUDED = "include.release.openshift.io/self-managed-high-availability";

/**
 * The CRDs that the cluster-version operator of a self-managed cluster with the Default feature set applies, in its order. Chosen without
 * preflight's code, which is what is tested.
 */
export function readReleaseCrds(release: string): readonly PlayedManifest[] {
  const folder = join(SHARED, "crds", release);
  const gates = readGates(release);
  return readdirSync(folder)
    .toSorted()
    .flatMap((file) => parseManifests(readFileSync(join(folder, file), "utf8")).map((manifest) => ({ file, manifest })))
    .filter(({ manifest }) => isApplied(objectAt(manifest, "metadata", "annotations"), gates));
}

/** The manifests in a payload's folder that are not among these files. */
export function readAddedManifests(payload: string, known: readonly string[]): readonly PlayedManifest[] {
  const folder = join(payload, "release-manifests");
  return listFiles(folder)
    .filter((file) => !known.includes(file))
    .flatMap((file) => parseManifests(readFileSync(join(folder, file), "utf8")).map((manifest) => ({ file, manifest })))
    .filter(({ manifest }) => manifest["kind"] === "CustomResourceDefinition");
}

function parseManifests(text: string): readonly JsonObject[] {
  const documents: readonly unknown[] = JSON.parse(JSON.stringify(loadAll(text)));
  return documents.filter(isObject);
}

function isApplied(annotations: JsonObject, gates: ReadonlySet<string>): boolean {
  const sets = textAt(annotations, "release.openshift.io/feature-set")?.split(",") ?? ["Default"];
  const wanted = textAt(annotations, "release.openshift.io/feature-gate")?.split(",") ?? [];
  return (
    annotations[INCLUDED] === "true" &&
    sets.includes("Default") &&
    wanted.every((gate) => (gate.startsWith("-") ? !gates.has(gate.slice(1)) : gates.has(gate)))
  );
}

function readGates(release: string): ReadonlySet<string> {
  const folder = join(SHARED, "crds/featuregates", release);
  const file = listFiles(folder).find((name) => name.endsWith("SelfManagedHA-Default.yaml"));
  if (file === undefined) return new Set();
  const [gates] = parseManifests(readFileSync(join(folder, file), "utf8"));
  const [first] = listAt(gates, "status", "featureGates");
  return new Set(listAt(first, "enabled").map((gate) => textAt(gate, "name") ?? ""));
}

function listFiles(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** The names of a definition's versions that are served. */
export function listServedVersions(crd: JsonObject): readonly string[] {
  return listAt(crd, "spec", "versions").flatMap((version) => {
    const { name, served } = objectAt(version);
    return served === true && typeof name === "string" ? [name] : [];
  });
}
