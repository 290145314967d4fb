import { type JsonObject, listAt, objectAt, textAt } from "../../src/model/json.ts";
import type { AdminApi, AdminResponse } from "../api-server/admin-api.ts";
import { CRDS } from "../api-server/api-path.ts";
import { waitUntilServed } from "../api-server/sentinel.ts";
import { eventually } from "../shared/eventually.ts";
import type { PlayedManifest } from "./releases.ts";

/** A definition that the API server did not take, and why. */
export type RefusedDefinition = { readonly name: string; readonly message: string };

const DELETE = "release.openshift.io/delete";
const CREATE_ONLY = "release.openshift.io/create-only";

/** Applies the target's definitions as the cluster-version operator does, in the order of their files; returns the refused ones. */
export async function applyManifests(
  api: AdminApi,
  manifests: readonly PlayedManifest[],
): Promise<readonly RefusedDefinition[]> {
  const refusals: RefusedDefinition[] = [];
  for (const { manifest } of manifests.toSorted((a, b) => (a.file < b.file ? -1 : 1))) {
    const name = textAt(manifest, "metadata", "name") ?? "";
    const { code, body } = await applyManifest(api, name, manifest);
    if (code >= 300 && code !== 404) refusals.push({ name, message: textAt(body, "message") ?? String(code) });
  }
  await waitUntilServed(api);
  return refusals;
}

async function applyManifest(api: AdminApi, name: string, manifest: JsonObject): Promise<AdminResponse> {
  const path = `${CRDS}/${name}`;
  const annotations = objectAt(manifest, "metadata", "annotations");
  if (annotations[DELETE] === "true") return api.call("DELETE", path);
  const existing = await api.call("GET", path);
  if (existing.code === 404) return api.call("POST", CRDS, manifest);
  if (annotations[CREATE_ONLY] === "true") return existing;
  return api.call("PUT", path, mergeDefinition(existing.body, manifest));
}

/** Keeps status, and labels and annotations that only the cluster has. */
function mergeDefinition(existing: JsonObject, manifest: JsonObject): JsonObject {
  const merge = (part: string): JsonObject => ({
    ...objectAt(existing, "metadata", part),
    ...objectAt(manifest, "metadata", part),
  });
  const metadata = {
    ...objectAt(existing, "metadata"),
    labels: merge("labels"),
    annotations: merge("annotations"),
  };
  return { ...existing, metadata, spec: objectAt(manifest, "spec") };
}

/** Waits until the API server serves these definitions. */
export async function waitUntilEstablished(api: AdminApi, names: readonly string[]): Promise<void> {
  for (const name of names)
    await eventually(async () => {
      const { body } = await api.call("GET", `${CRDS}/${name}`);
      const isEstablished = listAt(body, "status", "conditions").some(
        (condition) => textAt(condition, "type") === "Established" && textAt(condition, "status") === "True",
      );
      if (!isEstablished) throw new Error(`${name} is not established`);
    });
}
