import { type Json, type JsonObject, at, flagAt, listAt, textAt } from "../../src/model/json.ts";
import type { AdminApi } from "../api-server/admin-api.ts";
import { CRDS } from "../api-server/api-path.ts";
import type { Fate } from "./fault.ts";
import type { PlayedObject } from "./played-objects.ts";
import type { RefusedDefinition } from "./update.ts";

/** What happened to definitions, which `crd-skew` reports apart from what happens to objects. */
export async function observeCrds(
  api: AdminApi,
  before: readonly JsonObject[],
  objects: readonly PlayedObject[],
  refusals: readonly RefusedDefinition[],
): Promise<readonly Fate[]> {
  const { body } = await api.call("GET", CRDS);
  const now = new Map(listAt(body, "items").map((crd) => [textAt(crd, "metadata", "name") ?? "", crd]));
  const refused = refusals.map(({ name, message }) => buildFate(nameRefusal(message), name));
  const changed = before.flatMap((crd) => {
    const name = textAt(crd, "metadata", "name") ?? "";
    const own = objects.filter((object) => object.crd.name === name);
    const next = now.get(name);
    const isDeleted = next === undefined || textAt(next, "metadata", "deletionTimestamp") !== undefined;
    if (isDeleted) return own.length > 0 ? [buildFate("CrdDeletedWithObjects", name)] : [];
    return [
      ...(hasOtherNames(crd, next) ? [buildFate("CrdNamesChanged", name)] : []),
      ...(losesSubresource(crd, next) ? [buildFate("CrdSubresourceRemoved", name)] : []),
      ...(losesUsedVersion(crd, next, own) ? [buildFate("CrdServedVersionRemoved", name)] : []),
    ];
  });
  return [...refused, ...changed];
}

function buildFate(risk: string, name: string): Fate {
  return { risk, object: `CustomResourceDefinition ${name}` };
}

function nameRefusal(message: string): string {
  if (/spec\.(?:scope|names\.kind): Invalid value: .*immutable/.test(message)) return "CrdScopeOrKindChanged";
  return message.includes("status.storedVersions") ? "CrdStoredVersionRemoved" : "CrdRefused";
}

function hasOtherNames(before: Json, after: Json): boolean {
  return ["listKind", "singular"].some(
    (key) => textAt(before, "spec", "names", key) !== textAt(after, "spec", "names", key),
  );
}

/** In a version that is served before and after. */
function losesSubresource(before: Json, after: Json): boolean {
  return listServed(before).some((version) => {
    const next = listServed(after).find((one) => textAt(one, "name") === textAt(version, "name"));
    const lacks = (key: string): boolean =>
      at(version, "subresources", key) !== undefined && at(next, "subresources", key) === undefined;
    return next !== undefined && (lacks("status") || lacks("scale"));
  });
}

/** A version that somebody wrote objects in, as far as their managed fields say. */
function losesUsedVersion(before: Json, after: Json, objects: readonly PlayedObject[]): boolean {
  const written = new Set(
    objects.flatMap(({ body }) =>
      listAt(body, "metadata", "managedFields").map((entry) => textAt(entry, "apiVersion")),
    ),
  );
  const served = listServed(after).map((version) => textAt(version, "name"));
  const gone = listServed(before)
    .map((version) => textAt(version, "name"))
    .filter((name) => !served.includes(name));
  return gone.some((name) => written.has(`${textAt(before, "spec", "group")}/${name}`));
}

function listServed(crd: Json): readonly Json[] {
  return listAt(crd, "spec", "versions").filter((version) => flagAt(version, "served"));
}
