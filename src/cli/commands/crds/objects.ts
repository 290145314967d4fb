import { stat } from "node:fs/promises";
import { extname, join, basename } from "node:path";
import { readYamlObjects } from "../../../encoding/yaml-objects.ts";
import { COMMAND_TIMEOUT_MS, readFileChunks } from "../../../files/named-file.ts";
import { listFiles as listFolderFiles } from "../../../files/named-folder.ts";
import { FailedError, failWith } from "../../../model/errors.ts";
import { type JsonObject, textAt, objectAt } from "../../../model/json.ts";
import { formatCount, summarizeNames, findNearestName } from "../../../model/text.ts";
import type { NotJudged } from "../../../model/crd-changes.ts";
import { type ObjectRef, type Resource, formatRef, refOf, getGroup } from "../../../model/resource.ts";
import { findCrdOf, getVersion, serves } from "./crds-report.ts";
import type { CrdSet } from "./crd-set.ts";
import { type Crd, buildDefinition } from "../../../model/crd.ts";
import type { ReadFailure, Reader } from "../../../model/reader.ts";

const EXTENSIONS = new Set([".yaml", ".yml", ".json"]);
/** Of all objects together, since they are held in memory. Samples have a few KiB. */
const MAX_OBJECTS = 100_000;
const MAX_BYTES = 32 << 20;

/** An object, or what else a file holds, and the file. */
export type GivenObject = { readonly file: string; readonly object: JsonObject };

/** The objects of a file, or of a folder and its sub-folders. Throws a FailedError if one can't be used, or if there is none. */
export async function readGivenObjects(path: string): Promise<readonly GivenObject[]> {
  const objects: GivenObject[] = [];
  const budget = { bytes: MAX_BYTES };
  const files = await listFiles(path).catch(failWith(`--objects ${path} can't be read`));
  for (const file of files) await addObjects(file, objects, budget).catch(failWith(`--objects ${file} can't be used`));
  if (objects.length > 0) return objects;
  throw new FailedError(`${path} has no object: --objects needs a file or a folder with some`);
}

async function addObjects(file: string, objects: GivenObject[], budget: { bytes: number }): Promise<void> {
  for await (const object of readYamlObjects(readChunks(file, budget))) {
    objects.push({ file, object });
    if (objects.length > MAX_OBJECTS) throw new Error(`there are more than ${MAX_OBJECTS}`);
  }
}

async function* readChunks(file: string, budget: { bytes: number }): AsyncGenerator<Uint8Array> {
  for await (const chunk of readFileChunks(file, MAX_BYTES, { pipeTimeoutMs: COMMAND_TIMEOUT_MS })) {
    budget.bytes -= chunk.length;
    if (budget.bytes < 0) throw new Error(`all objects together have more than ${MAX_BYTES >> 20} MiB`);
    yield chunk;
  }
}

async function listFiles(path: string): Promise<readonly string[]> {
  if (!(await stat(path)).isDirectory()) return [path];
  const names = await listFolderFiles(path);
  return names.filter((name) => EXTENSIONS.has(extname(name))).map((name) => join(path, name));
}

/** The objects that both sets of CRDs can judge, and what else was given. */
export type SortedObjects = {
  readonly judged: readonly JsonObject[];
  readonly unknowns: readonly NotJudged[];
  /** Objects of what only the new CRDs have: no change of a released CRD can break them. */
  readonly notices: readonly string[];
};

type Verdict =
  | { readonly kind: "judged"; readonly object: JsonObject }
  | { readonly kind: "new"; readonly what: string; readonly ref: ObjectRef }
  | { readonly kind: "unknown"; readonly unknown: NotJudged };

/** `path`: the file or folder that they come from. */
export function sortObjects(given: readonly GivenObject[], path: string, from: CrdSet, to: CrdSet): SortedObjects {
  const verdicts = given.map((one) => judge(one, from, to));
  const added = verdicts.filter((verdict) => verdict.kind === "new");
  const message = "all of its objects are of new CRDs or versions";
  const nothing: NotJudged = { reason: "NothingJudged", where: path, message };
  return {
    judged: verdicts.flatMap((verdict) => (verdict.kind === "judged" ? [verdict.object] : [])),
    unknowns: [
      ...(added.length > 0 && added.length === given.length ? [nothing] : []),
      ...verdicts.flatMap((verdict) => (verdict.kind === "unknown" ? [verdict.unknown] : [])),
    ],
    notices: [...Map.groupBy(added, ({ what }) => what)].map(([what, own]) => {
      const count = formatCount(own.length, "object");
      const were = own.length === 1 ? "was" : "were";
      return `${count} ${were} not judged, since ${what} is new: ${summarizeNames(own.map(({ ref }) => formatRef(ref)))}.`;
    }),
  };
}

/** What tools read beside the objects, and no API server. */
export function isToolFile({ file, object }: GivenObject): boolean {
  return (
    /^kustomization(?:\.ya?ml)?$/i.test(basename(file)) ||
    (textAt(object, "apiVersion") ?? "").startsWith("kustomize.config.k8s.io/")
  );
}

function judge({ file, object }: GivenObject, from: CrdSet, to: CrdSet): Verdict {
  const ref = refOf(object);
  const fail = (reason: NotJudged["reason"], message: string): Verdict => ({
    kind: "unknown",
    unknown: { reason, where: ref.kind === "" ? file : `${formatRef(ref)} (${ref.apiVersion})`, message, file },
  });
  if (ref.apiVersion === "" || ref.kind === "") return fail("NotAnObject", "it has no apiVersion or no kind");
  const before = findCrdOf(ref, from.release.crds);
  const after = findCrdOf(ref, to.release.crds);
  const crd = after ?? before;
  if (crd === undefined) return fail(...describeMissing(ref, from, to));
  if (before === undefined && from.applying.has(crd.name))
    return fail("CrdNotUsable", `its released CRD ${crd.name} can't be used`);
  if (after === undefined && to.applying.has(crd.name))
    return fail("CrdNotUsable", `its new CRD ${crd.name} can't be used`);
  const version = getVersion(ref);
  if (before !== undefined && serves(before, version)) return { kind: "judged", object };
  if (after === undefined || !serves(after, version))
    return fail("VersionNotServed", `no given CRD ${crd.name} serves version ${version}`);
  return { kind: "new", what: before === undefined ? `CRD ${crd.name}` : `version ${version} of ${crd.name}`, ref };
}

function describeMissing(
  ref: ObjectRef,
  from: CrdSet,
  to: CrdSet,
): readonly [reason: "CrdNotJudged" | "NoCrd", message: string] {
  const leftOut = findCrdOf(
    ref,
    [...to.leftOut, ...from.leftOut].map(({ crd }) => crd),
  );
  if (leftOut !== undefined) return ["CrdNotJudged", `no variant of its CRD ${leftOut.name} is judged`];
  const kinds = [from, to].flatMap(({ release }) => release.crds.map(({ kind }) => kind));
  const nearest = findNearestName(ref.kind, kinds);
  const hint = nearest === undefined || nearest === ref.kind ? "" : ` (nearest: ${nearest})`;
  return ["NoCrd", `no given CRD defines this kind${hint}`];
}

/** A cluster that has the given CRDs and objects and nothing else. */
export function createCrdReader(crds: readonly Crd[], objects: readonly JsonObject[], kubernetes: string): Reader {
  const definitions = crds.map(buildInstalled);
  return {
    get: async () => ({ kind: "absent", what: "resource" }),
    list: async (resource, begin) => {
      const listed =
        resource.resource === "customresourcedefinitions" ? definitions : selectObjects(resource, crds, objects);
      if (!isFound(listed)) return listed;
      const visit = begin(undefined);
      for (const object of listed) visit(object);
      return { kind: "listed", objects: listed.length, bytes: 0 };
    },
    raw: async (path, begin) => {
      const text = RESPONSES[path]?.(kubernetes);
      if (text === undefined) return { kind: "absent", what: "resource" };
      begin()(text);
      return { kind: "read", bytes: text.length };
    },
  };
}

const RESPONSES: Readonly<Record<string, (kubernetes: string) => string>> = {
  "/version": (kubernetes) => JSON.stringify({ gitVersion: kubernetes }),
  "/apis": () => JSON.stringify({ kind: "APIGroupList", groups: [{ name: "apiextensions.k8s.io" }] }),
};

/** Wherever the CRD was applied, objects are stored in its storage version. */
function buildInstalled(crd: Crd): JsonObject {
  const storedVersions = crd.versions.filter(({ storage }) => storage).map(({ name }) => name);
  const definition = buildDefinition(crd);
  return { ...definition, status: { ...objectAt(definition, "status"), storedVersions } };
}

function isFound(listed: readonly JsonObject[] | ReadFailure): listed is readonly JsonObject[] {
  return Array.isArray(listed);
}

function selectObjects(
  { group, version, resource, kind }: Resource,
  crds: readonly Crd[],
  objects: readonly JsonObject[],
): readonly JsonObject[] | ReadFailure {
  const crd = crds.find((one) => one.group === group && one.plural === resource);
  // Services of conversion webhooks are no matter of the CRDs.
  if (crd === undefined) return { kind: "failed", reason: "NotRecorded", message: "" };
  const own = objects.filter(
    (object) => textAt(object, "kind") === kind && getGroup(textAt(object, "apiVersion") ?? "") === group,
  );
  const apiVersion = `${group}/${version}`;
  const other = own.find((object) => object["apiVersion"] !== apiVersion);
  if (other !== undefined && crd.conversion.strategy === "Webhook") {
    const message = `objects are given in ${textAt(other, "apiVersion")}, and how a webhook converts them to ${version} is not known`;
    return { kind: "failed", reason: "NotUnderstood", message };
  }
  // Without a webhook, conversion changes nothing else.
  return own.map((object) => ({ ...object, apiVersion }));
}
