import { at, listAt, type JsonObject, textAt } from "../../../src/model/json.ts";
import type { AdminResponse } from "../../api-server/admin-api.ts";
import type { Fate, PlayedWorld } from "../fault.ts";
import { type Definition, GROUP } from "./definition-kinds.ts";
import { ask, getName, isAccepted, MERGE_PATCH } from "./objects.ts";

/** Where the objects of planted definitions are. */
export const NAMESPACE = "play-definitions";

export function getObjectsPath(crd: JsonObject, version: string): string {
  return `/apis/${GROUP}/${version}/namespaces/${NAMESPACE}/${getPlural(crd)}`;
}

export function getPlural(crd: JsonObject): string {
  return textAt(crd, "spec", "names", "plural") ?? "";
}

/** What the API server answers to the operator (`applied`) and then to the clients of a definition. */
export async function observeDefinition(
  world: PlayedWorld,
  definition: Definition,
  applied: AdminResponse,
): Promise<readonly Fate[]> {
  const { before, after, objects } = definition;
  const read: ReadPath = (path) => ask(world, path);
  const buildFates = (risks: readonly string[]): readonly Fate[] =>
    risks.map((risk) => ({ risk, object: `CustomResourceDefinition ${getName(before)}` }));
  if (after === undefined) {
    const { code } = await read(`${getObjectsPath(before, "v1")}/object-0`);
    return buildFates(objects.length > 0 && code === 404 ? ["CrdDeletedWithObjects"] : []);
  }
  if (!isAccepted(applied)) return buildFates([nameRefusal(textAt(applied.body, "message") ?? "")]);
  const [names, subresources, conversion, served] = await Promise.all([
    hasOtherNames(read, before),
    losesSubresource(read, before),
    failsConversion(read, after),
    losesVersion(world, read, definition),
  ]);
  return buildFates([
    ...(names ? ["CrdNamesChanged"] : []),
    ...(subresources ? ["CrdSubresourceRemoved"] : []),
    ...(conversion ? ["CrdConversionUnavailable"] : []),
    ...(served ? ["CrdServedVersionRemoved"] : []),
  ]);
}

type ReadPath = (path: string) => Promise<AdminResponse>;

function nameRefusal(message: string): string {
  if (message.includes("status.storedVersions")) return "CrdStoredVersionRemoved";
  return message.includes("field is immutable") ? "CrdScopeOrKindChanged" : "CrdRefused";
}

/** The names that a client sees: the kind of a list, and the singular name in discovery. */
async function hasOtherNames(read: ReadPath, crd: JsonObject): Promise<boolean> {
  const list = await read(getObjectsPath(crd, "v1"));
  const discovery = await read(`/apis/${GROUP}/v1`);
  const resource = listAt(discovery.body, "resources").find((one) => textAt(one, "name") === getPlural(crd));
  const names = [textAt(list.body, "kind"), textAt(resource, "singularName")];
  return names.join() !== [textAt(crd, "spec", "names", "listKind"), textAt(crd, "spec", "names", "singular")].join();
}

async function losesSubresource(read: ReadPath, crd: JsonObject): Promise<boolean> {
  const [version] = listAt(crd, "spec", "versions");
  for (const name of ["status", "scale"]) {
    if (at(version, "subresources", name) === undefined) continue;
    if ((await read(`${getObjectsPath(crd, "v1")}/object-0/${name}`)).code === 404) return true;
  }
  return false;
}

async function failsConversion(read: ReadPath, after: JsonObject): Promise<boolean> {
  for (const version of listAt(after, "spec", "versions")) {
    const { code } = await read(getObjectsPath(after, textAt(version, "name") ?? ""));
    if (code >= 500 || code === 429) return true;
  }
  return false;
}

/** Whether a client fails that wrote objects in a version, or that the cluster counts. */
async function losesVersion(
  { api }: PlayedWorld,
  read: ReadPath,
  { before, objects, counted }: Definition,
): Promise<boolean> {
  for (const [i, version] of objects.entries()) {
    const path = `${getObjectsPath(before, version)}/object-${i}?dryRun=All`;
    const { code } = await api.call("PATCH", path, { spec: { field: "b" } }, MERGE_PATCH);
    if (code === 404) return true;
  }
  for (const version of counted) if ((await read(getObjectsPath(before, version))).code === 404) return true;
  return false;
}
