import { type JsonObject, isObject, objectAt, listAt, numberAt, textAt } from "../../src/model/json.ts";
import type { AdminApi } from "../api-server/admin-api.ts";
import { type PlayedCrd, type PlayedVersion, buildCollectionPath } from "./played-crd.ts";
import type { RefusedDefinition } from "./update.ts";
import { type Answers, askWrites, setStatusAnew, type WrittenPlace } from "./writes.ts";
import { judgeAnswers, type ObjectFate } from "./truth.ts";

/** An object that the cluster has before the update, as one of its versions shows it, and what writes through it are answered then. */
export type PlayedObject = {
  readonly crd: PlayedCrd;
  readonly version: PlayedVersion;
  readonly kind: string;
  readonly namespace: string | undefined;
  readonly name: string;
  readonly body: JsonObject;
  readonly answers: Answers;
};

const WORKERS = 6;

type ListedVersion = { readonly crd: PlayedCrd; readonly version: PlayedVersion };
type ListedObject = ListedVersion & { readonly item: JsonObject };

/** Lists every object of these kinds once. */
export function listObjects(api: AdminApi, crds: readonly PlayedCrd[]): Promise<readonly ListedObject[]> {
  return listVersions(
    api,
    crds.map((crd) => ({ crd, version: crd.versions[0] })),
  );
}

async function listVersions(api: AdminApi, versions: readonly ListedVersion[]): Promise<readonly ListedObject[]> {
  const lists = await mapInParallel(versions, async ({ crd, version }) => {
    const { body } = await api.call("GET", buildCollectionPath(crd.before, version.before));
    return listAt(body, "items")
      .filter(isObject)
      .map((item) => ({ crd, version, item }));
  });
  return lists.flat();
}

/** Reads every object of these kinds through each version, and asks what each way of writing it is answered. */
export async function readObjects(api: AdminApi, crds: readonly PlayedCrd[]): Promise<readonly PlayedObject[]> {
  const versions = crds.flatMap((crd) => crd.versions.map((version) => ({ crd, version })));
  return mapInParallel(await listVersions(api, versions), async ({ crd, version, item }) => {
    const kind = textAt(item, "kind") ?? "";
    const name = textAt(item, "metadata", "name") ?? "";
    const namespace = textAt(item, "metadata", "namespace");
    const place = findPlace(crd.before, version.before, namespace, name);
    return { crd, version, kind, namespace, name, body: item, answers: await askWrites(api, place, item) };
  });
}

/** The objects that are as they were read: what is said of one that a planted fault changed counts as said of the fault. */
export async function selectUnchanged(
  api: AdminApi,
  crds: readonly PlayedCrd[],
  objects: readonly PlayedObject[],
): Promise<readonly PlayedObject[]> {
  const present = new Set((await listObjects(api, crds)).map(({ item }) => formatGeneration(item)));
  return objects.filter(({ body }) => present.has(formatGeneration(body)));
}

function formatGeneration({ metadata }: JsonObject): string {
  return `${textAt(metadata, "uid") ?? ""} ${numberAt(metadata, "generation") ?? ""}`;
}

/** What became of objects that were read before the update. A refused definition stays as it was. */
export async function judgeObjects(
  api: AdminApi,
  objects: readonly PlayedObject[],
  refusals: readonly RefusedDefinition[],
): Promise<ReadonlyMap<PlayedObject, ObjectFate>> {
  const groups = Map.groupBy(objects, ({ body }) => textAt(body, "metadata", "uid"));
  const fates = await mapInParallel([...groups.values()], (group) => judgeVersions(api, group, refusals));
  return new Map(fates.flat());
}

/** One object through each of its versions. A status that is set anew stays away for the writes after it, so that they come first. */
async function judgeVersions(
  api: AdminApi,
  group: readonly PlayedObject[],
  refusals: readonly RefusedDefinition[],
): Promise<readonly (readonly [PlayedObject, ObjectFate])[]> {
  const asked = [];
  for (const object of group) {
    const { crd, version, namespace, name, body } = object;
    const isRefused = refusals.some((refused) => refused.name === crd.name);
    const [served, now] = isRefused ? [crd.before, version.before] : [crd.after ?? crd.before, version.after];
    const place = findPlace(served, now, namespace, name);
    const copied = { ...body, apiVersion: `${textAt(crd.before, "spec", "group")}/${now}` };
    asked.push({ object, place, copied, after: await askWrites(api, place, copied) });
  }
  const fates: (readonly [PlayedObject, ObjectFate])[] = [];
  for (const { object, place, copied, after } of asked) {
    const statusAnew = await setStatusAnew(api, place, copied);
    fates.push([object, judgeAnswers(object.answers, after, statusAnew, place.replicas)]);
  }
  return fates;
}

/** The kinds that can't be listed after the update. */
export async function findUnlistable(api: AdminApi, crds: readonly PlayedCrd[]): Promise<ReadonlySet<PlayedCrd>> {
  const versions = crds.flatMap((crd) => crd.versions.map(({ after }) => ({ crd, after })));
  const answers = await mapInParallel(versions, async ({ crd, after }) => {
    const path = buildCollectionPath(crd.after ?? crd.before, after);
    // Without a limit, the API server answers from its cache.
    const { code } = await api.call("GET", `${path}?limit=500`);
    return code === 500 ? [crd] : [];
  });
  return new Set(answers.flat());
}

function findPlace(crd: JsonObject, version: string, namespace: string | undefined, name: string): WrittenPlace {
  const collection = buildCollectionPath(crd, version, namespace);
  const served = listAt(crd, "spec", "versions").find((one) => textAt(one, "name") === version);
  const subresources = objectAt(served, "subresources");
  const replicas = textAt(subresources, "scale", "specReplicasPath")?.slice(1);
  const hasStatus = subresources["status"] !== undefined;
  return { path: `${collection}/${name}`, collection, hasStatus, ...(replicas === undefined ? {} : { replicas }) };
}

/** Keeps the order of the results. */
async function mapInParallel<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<readonly R[]> {
  const results: R[] = [];
  const queue = items.entries();
  const run = async (): Promise<void> => {
    for (const [i, item] of queue) results[i] = await work(item);
  };
  await Promise.all(Array.from({ length: WORKERS }, run));
  return results;
}
