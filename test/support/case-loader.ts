import { parseRecordedEntry } from "../../src/cluster/recorded/recorded-entry.ts";
import { type JsonObject, listAt, objectAt, textAt } from "../../src/model/json.ts";
import { type TestServer, UnloadableCaseError, waitUntil } from "./test-server.ts";
import {
  CRDS,
  NAMESPACES,
  type ApiPath,
  getCollectionPath,
  buildItemPath,
  objectKeyOf,
  parseApiPath,
  buildEtcdKey,
} from "../../verify/api-server/api-path.ts";
import { loadObject } from "./object-loader.ts";

type DesiredEntry =
  | { readonly kind: "object"; readonly path: string; readonly object: JsonObject }
  | { readonly kind: "only"; readonly path: string; readonly items: readonly JsonObject[] }
  | { readonly kind: "absent"; readonly path: string; readonly what?: "object" | "resource" };

/** Loads a cluster.json into a control plane; kinds that it lists hold nothing else. Throws an UnloadableCaseError. */
export async function loadCase(server: TestServer, cluster: JsonObject): Promise<void> {
  const entries = Object.entries(cluster).map(([path, value]) => parseDesiredEntry(path, parseRecordedEntry(value)));
  const objects = entries.flatMap((entry) => getObjects(entry)).toSorted((a, b) => getOrder(a.path) - getOrder(b.path));
  const definitions = objects.filter(({ path }) => path.startsWith(CRDS));
  const ownDefinitions = new Set(definitions.map(({ object }) => objectKeyOf(object).name));
  for (const { path, object } of definitions) await loadObject(server, path, object, ownDefinitions);
  for (const entry of entries) await removeExtra(server, entry);
  for (const { path, object } of objects.filter((one) => !definitions.includes(one)))
    await loadObject(server, path, object, ownDefinitions);
  // Objects got the namespaces that they need; if the case lists namespaces without them, they must go again.
  for (const entry of entries) if (entry.path === NAMESPACES) await removeExtra(server, entry);
}

function parseDesiredEntry(path: string, recorded: ReturnType<typeof parseRecordedEntry>): DesiredEntry {
  switch (recorded?.kind) {
    case "object":
      return { kind: "object", path, object: recorded.object };
    case "list":
      return { kind: "only", path, items: recorded.items };
    case "absent":
      return { kind: "absent", path, ...(recorded.what ? { what: recorded.what } : {}) };
    case "failed":
      throw new UnloadableCaseError(`it wants ${path} to fail, which an administrator's read doesn't`);
    case "text":
    case undefined:
      throw new UnloadableCaseError(`the API server writes the text of ${path} itself`);
  }
}

function getObjects(entry: DesiredEntry): readonly { readonly path: string; readonly object: JsonObject }[] {
  if (entry.kind === "absent") return [];
  if (entry.kind === "object") return [entry];
  return entry.items.map((object) => ({ path: buildItemPath(entry.path, object), object }));
}

/** Definitions before their objects, namespaces before their contents, webhooks last, when nothing else is written. */
function getOrder(path: string): number {
  if (path.startsWith(CRDS)) return 0;
  if (getCollectionPath(path) === NAMESPACES) return 1;
  return path.includes("webhookconfigurations/") ? 3 : 2;
}

/** Removes objects that shouldn't exist. */
async function removeExtra(server: TestServer, entry: DesiredEntry): Promise<void> {
  // Without definitions nothing else could be loaded; listing them all takes a second.
  if (entry.kind === "object" || (entry.kind === "only" && entry.path === CRDS)) return;
  const apiPath = parseApiPath(entry.path);
  if (!apiPath) throw new UnloadableCaseError(`the API server answers ${entry.path} itself`);
  if (entry.kind === "absent") return ensureAbsent(server, entry.path, apiPath, entry.what);
  let current = await server.api.call("GET", entry.path);
  // A kind whose CRD was restored a moment ago is served only after a while.
  await waitUntil(
    async () => current.code === 200 || (current = await server.api.call("GET", entry.path)).code === 200,
    `${apiPath.resource}.${apiPath.group} ${apiPath.version} is not served`,
  );
  const expectedPaths = new Set(entry.items.map((item) => buildItemPath(entry.path, item)));
  const extra = listAt(current.body, "items")
    .map((item) => objectAt(item))
    .filter((item) => !expectedPaths.has(buildItemPath(entry.path, item)) && !isRenewedByServer(apiPath, item));
  await server.etcd.remove(extra.map((item) => buildEtcdKey({ ...apiPath, ...objectKeyOf(item) })));
}

/** Objects that an API server recreates immediately. */
function isRenewedByServer({ resource }: ApiPath, item: JsonObject): boolean {
  return resource === "apiservices" && textAt(item, "spec", "service", "name") === undefined;
}

/** An absent kind is no longer served after its definition is deleted. */
async function ensureAbsent({ api, etcd }: TestServer, path: string, apiPath: ApiPath, what?: string): Promise<void> {
  if (apiPath.name !== undefined && what !== "resource") return etcd.remove([buildEtcdKey(apiPath)]);
  const kind = apiPath.name === undefined ? path : getCollectionPath(path);
  if ((await api.call("GET", kind)).code === 404) return;
  const definition = parseApiPath(`${CRDS}/${apiPath.resource}.${apiPath.group}`);
  if (definition) await etcd.remove([buildEtcdKey(definition)]);
  await waitUntil(async () => (await api.call("GET", kind)).code === 404, `every API server serves ${kind}`);
}
