import { type JsonObject, isObject, listAt, objectAt, textAt } from "../../src/model/json.ts";
import type { AdminApi } from "../api-server/admin-api.ts";
import { CRDS } from "../api-server/api-path.ts";
import type { Random } from "../schema/random/random.ts";
import { eventually } from "../shared/eventually.ts";
import { buildCollectionPath } from "./played-crd.ts";
import type { PlayedManifest } from "./releases.ts";

const SECOND = "v1second1";

/** Serves a second version of some kinds with one version, since releases have few others; returns the target's definitions of them. */
export async function addSecondVersions(
  api: AdminApi,
  release: readonly PlayedManifest[],
  count: number,
  random: Random,
): Promise<ReadonlyMap<PlayedManifest, JsonObject>> {
  const { body } = await api.call("GET", CRDS);
  const installed = new Map(
    listAt(body, "items")
      .filter(isObject)
      .map((crd) => [nameOf(crd), crd]),
  );
  const possible = release.filter(({ manifest }) =>
    [manifest, installed.get(nameOf(manifest))].every((crd) => crd !== undefined && hasOneVersion(crd)),
  );
  const added = new Map<PlayedManifest, JsonObject>();
  for (let i = 0; i < count; i += 1) {
    const one = random.oneOf(possible.filter((other) => !added.has(other)));
    const before = one && installed.get(nameOf(one.manifest));
    if (one === undefined || before === undefined) break;
    const { code } = await api.call("PUT", `${CRDS}/${nameOf(before)}`, addVersion(before));
    if (code < 300) added.set(one, addVersion(one.manifest));
  }
  for (const crd of added.values())
    await eventually(async () => {
      const { code } = await api.call("GET", `${buildCollectionPath(crd, SECOND)}?limit=1`);
      if (code !== 200) throw new Error(`${nameOf(crd)} has no second version: ${code}`);
    });
  return added;
}

function nameOf(crd: JsonObject): string {
  return textAt(crd, "metadata", "name") ?? "";
}

function hasOneVersion(crd: JsonObject): boolean {
  return listAt(crd, "spec", "versions").length === 1;
}

/** The schema of the only version, and another name. */
function addVersion(crd: JsonObject): JsonObject {
  const versions = listAt(crd, "spec", "versions");
  const second = { ...objectAt(versions[0]), name: SECOND, storage: false };
  return { ...crd, spec: { ...objectAt(crd, "spec"), versions: [...versions, second] } };
}
