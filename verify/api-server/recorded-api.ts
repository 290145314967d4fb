import { isObject, type Json, type JsonObject, listAt, textAt } from "../../src/model/json.ts";
import { type ApiPath, CRDS, parseApiPath } from "./api-path.ts";

/** What an API server answers: `body` is a recorded entry, or the text of Go's default handler. */
export type RecordedAnswer = { readonly code: number; readonly body: Json };

/** Versions of groups that every API server serves. */
const UNIVERSAL = ["/v1", "apiextensions.k8s.io/v1", "apps/v1", "policy/v1"];

/** Answers from a recording as the cluster's API server would: with discovery, and a 404 for what does not exist. */
export function createRecordedApi(recording: JsonObject): (path: string) => RecordedAnswer {
  const kinds = collectKinds(recording);
  const versions = new Set([...UNIVERSAL, ...kinds.keys(), ...collectRecordedVersions(recording)]);
  return (path) => {
    const entry = recording[path];
    const error = textAt(entry, "error");
    if (path === "/apis" && error === undefined) return { code: 200, body: buildGroupList(versions) };
    if (error !== undefined && !error.startsWith("404"))
      return buildStatus(Number(error.slice(0, 3)), { message: error });
    const listKind = findListKind(recording, path);
    if (entry !== undefined && error === undefined) return { code: 200, body: addListKind(entry, listKind) };
    return answerUnrecorded(path, kinds, versions, listKind);
  };
}

/** As the recorded definition of the kind names it, which only the kind of an empty list needs. */
function findListKind(recording: JsonObject, path: string): JsonObject {
  const place = parseApiPath(path);
  const name = `${place?.resource}.${place?.group}`;
  const definition = listAt(recording[CRDS], "items").find((one) => textAt(one, "metadata", "name") === name);
  const kind = textAt(definition, "spec", "names", "listKind");
  return kind === undefined ? {} : { kind };
}

function addListKind(entry: Json, listKind: JsonObject): Json {
  return isObject(entry) && Object.hasOwn(entry, "items") ? { ...listKind, ...entry } : entry;
}

const PAGE_NOT_FOUND: RecordedAnswer = { code: 404, body: "404 page not found\n" };

function answerUnrecorded(
  path: string,
  kinds: ReadonlyMap<string, ReadonlySet<string>>,
  versions: ReadonlySet<string>,
  listKind: JsonObject,
): RecordedAnswer {
  const version = /^\/apis\/([^/]+\/[^/]+)$/.exec(path)?.[1];
  if (version !== undefined && versions.has(version))
    return { code: 200, body: buildResourceList(version, kinds.get(version) ?? new Set()) };
  const place = parseApiPath(path);
  if (place === undefined) return PAGE_NOT_FOUND;
  const isServed = UNIVERSAL.includes(getVersion(place)) || kinds.get(getVersion(place))?.has(place.resource) === true;
  if (!isServed) return PAGE_NOT_FOUND;
  return place.name === undefined ? { code: 200, body: { ...listKind, items: [] } } : buildNotFound(place.name);
}

export function buildStatus(code: number, more: JsonObject = {}): RecordedAnswer {
  const message = `the API server answers ${code}`;
  return { code, body: { kind: "Status", apiVersion: "v1", status: "Failure", code, message, ...more } };
}

/** An API server names the object that does not exist. */
function buildNotFound(name: string): RecordedAnswer {
  return buildStatus(404, { reason: "NotFound", message: `"${name}" not found`, details: { name } });
}

/** The plurals of which the recording has something, by the version of their group. An absent object's kind is served. */
function collectKinds(recording: JsonObject): ReadonlyMap<string, ReadonlySet<string>> {
  const kinds = new Map<string, Set<string>>();
  for (const [path, entry] of Object.entries(recording)) {
    const place = parseApiPath(path);
    if (place === undefined || isUnserved(entry, place)) continue;
    kinds.set(getVersion(place), (kinds.get(getVersion(place)) ?? new Set()).add(place.resource));
  }
  return kinds;
}

function isUnserved(entry: Json | undefined, { name }: ApiPath): boolean {
  if (textAt(entry, "error")?.startsWith("404") !== true) return false;
  return name === undefined || textAt(entry, "what") === "resource";
}

function getVersion({ group, version }: ApiPath): string {
  return `${group}/${version}`;
}

function collectRecordedVersions(recording: JsonObject): readonly string[] {
  const versions = listAt(recording["/apis"], "groups").flatMap((group) => listAt(group, "versions"));
  return versions.flatMap((version) => textAt(version, "groupVersion") ?? []);
}

function buildGroupList(versions: ReadonlySet<string>): JsonObject {
  const named = [...versions].filter((one) => !one.startsWith("/"));
  const groups = Map.groupBy(named, (one) => one.slice(0, one.indexOf("/")));
  return {
    kind: "APIGroupList",
    apiVersion: "v1",
    groups: [...groups].map(([name, ofGroup]) => ({
      name,
      versions: ofGroup.map((groupVersion) => ({ groupVersion, version: groupVersion.slice(name.length + 1) })),
    })),
  };
}

function buildResourceList(groupVersion: string, plurals: ReadonlySet<string>): JsonObject {
  return { kind: "APIResourceList", apiVersion: "v1", groupVersion, resources: [...plurals].map((name) => ({ name })) };
}
