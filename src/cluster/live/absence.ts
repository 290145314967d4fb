import type { Absence, ReadFailure } from "../../model/reader.ts";
import { formatGroupResource, type Resource } from "../../model/resource.ts";
import { buildAbortFailure, buildUnprovenFailure, type NotFound } from "../access/failures.ts";
import { buildUnservedFailure, isUniversal } from "../access/universal-versions.ts";
import { type Discovery, GROUPS_PATH, parseGroupVersions, parseKinds } from "./discovery.ts";

/** A request that was answered with 404. */
export type UnfoundRequest = {
  readonly path: string;
  readonly resource: Resource;
  readonly discovery: Discovery;
  readonly signal: AbortSignal;
};

/** The default handlers of Go and of proxies answer 404 too, so a missing object is one that the API server names. */
export async function judgeMissingObject(
  notFound: NotFound,
  name: string,
  request: UnfoundRequest,
): Promise<Absence | ReadFailure> {
  return notFound.name === name ? { kind: "absent", what: "object" } : judgeMissingKind(request);
}

/** A kind is absent only if discovery of the same server shows that it is not served. */
export async function judgeMissingKind(request: UnfoundRequest): Promise<Absence | ReadFailure> {
  const { path, resource, discovery, signal } = request;
  const groupVersion = `${resource.group}/${resource.version}`;
  if (isUniversal(resource)) return buildUnservedFailure(path, resource);
  const groups = await readServed(GROUPS_PATH, parseGroupVersions, discovery, signal);
  if (groups.kind === "served" && !groups.names.has(groupVersion)) return ABSENT_KIND;
  const versionPath = `${GROUPS_PATH}/${groupVersion}`;
  const kinds = await readServed(versionPath, (text) => parseKinds(text, groupVersion), discovery, signal);
  if (kinds.kind === "served")
    return kinds.names.has(resource.resource)
      ? buildUnprovenFailure(path, `${versionPath} lists ${formatGroupResource(resource)}`)
      : ABSENT_KIND;
  return toUnprovenFailure(path, groups.kind === "served" ? kinds : groups, signal);
}

/** A text is absent only if it is discovery's about a version that the server does not serve. */
export async function judgeMissingText(
  path: string,
  discovery: Discovery,
  signal: AbortSignal,
): Promise<Absence | ReadFailure> {
  const groupVersion = path.startsWith(`${GROUPS_PATH}/`) ? path.slice(GROUPS_PATH.length + 1) : undefined;
  if (groupVersion === undefined) return buildUnprovenFailure(path, "every API server serves it");
  const groups = await readServed(GROUPS_PATH, parseGroupVersions, discovery, signal);
  if (groups.kind !== "served") return toUnprovenFailure(path, groups, signal);
  return groups.names.has(groupVersion)
    ? buildUnprovenFailure(path, `${GROUPS_PATH} lists ${groupVersion}`)
    : ABSENT_KIND;
}

const ABSENT_KIND: Absence = { kind: "absent", what: "resource" };

type Served =
  | { readonly kind: "served"; readonly names: ReadonlySet<string> }
  | { readonly kind: "unreadable"; readonly path: string; readonly message: string };

async function readServed(
  path: string,
  parse: (text: string) => ReadonlySet<string> | undefined,
  discovery: Discovery,
  signal: AbortSignal,
): Promise<Served> {
  const result = await discovery(path, signal);
  const names = result.kind === "whole" ? parse(result.text) : undefined;
  if (names !== undefined) return { kind: "served", names };
  const message = result.kind === "whole" ? "it was answered with something else" : result.message;
  return { kind: "unreadable", path, message };
}

function toUnprovenFailure(
  path: string,
  unreadable: Exclude<Served, { kind: "served" }>,
  signal: AbortSignal,
): ReadFailure {
  if (signal.aborted) return buildAbortFailure(signal, unreadable.path);
  return buildUnprovenFailure(path, `${unreadable.path} does not show what is served (${unreadable.message})`);
}
