import { readFileSync } from "node:fs";
import { loadAll } from "js-yaml";
import { type JsonObject, isObject, listAt, textAt } from "../../src/model/json.ts";
import { type AdminApi, connectAdminApi } from "./admin-api.ts";
import type { ControlPlane } from "./control-plane.ts";
import { callOrThrow } from "./objects.ts";

const APPLY = "application/apply-patch+yaml";

/** Applies objects in their order, for a hundredth of what kubectl takes; fields that the same manager no longer names go. */
export async function applyObjects(
  cluster: Pick<ControlPlane, "env">,
  objects: readonly JsonObject[],
  manager = "test",
): Promise<void> {
  await applyAndRead(cluster, objects, manager);
}

/** The same, with the objects as they then are. */
export async function applyAndRead(
  cluster: Pick<ControlPlane, "env">,
  objects: readonly JsonObject[],
  manager = "test",
): Promise<readonly JsonObject[]> {
  const api = await connectAdminApi(cluster);
  try {
    const collections = await readCollections(api);
    const applied: JsonObject[] = [];
    for (const object of objects) {
      const path = `${buildPath(collections, object)}?fieldManager=${manager}&force=true`;
      applied.push(await callOrThrow(api, "PATCH", path, object, APPLY));
    }
    return applied;
  } finally {
    api.close();
  }
}

/** Where objects of a kind are, within their namespaces or without. */
type Collection = { readonly path: string; readonly resource: string; readonly isNamespaced: boolean };

function buildPath(collections: ReadonlyMap<string, Collection>, object: JsonObject): string {
  const kind = `${textAt(object, "apiVersion")} ${textAt(object, "kind")}`;
  const collection = collections.get(kind);
  if (collection === undefined) throw new Error(`${kind} is not served`);
  const namespace = textAt(object, "metadata", "namespace") ?? "default";
  const within = collection.isNamespaced ? `/namespaces/${namespace}` : "";
  return `${collection.path}${within}/${collection.resource}/${textAt(object, "metadata", "name")}`;
}

/** By "group/version kind". */
async function readCollections(api: AdminApi): Promise<ReadonlyMap<string, Collection>> {
  const core = await api.discover("/api");
  const others = await api.discover("/apis");
  return new Map([...listCollections("/api", core.body), ...listCollections("/apis", others.body)]);
}

function listCollections(root: string, discovery: JsonObject): readonly (readonly [string, Collection])[] {
  return listAt(discovery, "items").flatMap((group) =>
    listAt(group, "versions").flatMap((version) => {
      const name = textAt(group, "metadata", "name");
      const groupVersion = [...(name ? [name] : []), textAt(version, "version")].join("/");
      return listAt(version, "resources").map((one) => {
        const isNamespaced = textAt(one, "scope") === "Namespaced";
        const collection = { path: `${root}/${groupVersion}`, resource: textAt(one, "resource") ?? "", isNamespaced };
        return [`${groupVersion} ${textAt(one, "responseKind", "kind")}`, collection] as const;
      });
    }),
  );
}

/** The objects in a file of YAML. */
export function readManifests(file: string): readonly JsonObject[] {
  const documents: unknown = JSON.parse(JSON.stringify(loadAll(readFileSync(file, "utf8"))));
  return Array.isArray(documents) ? documents.filter(isObject) : [];
}
