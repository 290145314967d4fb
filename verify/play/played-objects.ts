import { type JsonObject, at, isObject, listAt, numberAt, textAt } from "../../src/model/json.ts";
import type { AdminApi } from "../api-server/admin-api.ts";
import { type PlayedCrd, buildCollectionPath } from "./played-crd.ts";
import type { RefusedDefinition } from "./update.ts";
import { type Answers, askWrites, setStatusAnew, type WrittenPlace } from "./writes.ts";
import { judgeAnswers, type ObjectFate } from "./truth.ts";

/** An object that the cluster has before the update, and what its writes are answered then. */
export type PlayedObject = {
  readonly crd: PlayedCrd;
  readonly kind: string;
  readonly namespace: string | undefined;
  readonly name: string;
  readonly body: JsonObject;
  readonly answers: Answers;
};

const WORKERS = 6;

type ListedObject = { readonly crd: PlayedCrd; readonly item: JsonObject };

/** Lists every object of these kinds. */
export async function listObjects(api: AdminApi, crds: readonly PlayedCrd[]): Promise<readonly ListedObject[]> {
  const lists = await mapInParallel(crds, async (crd) => {
    const { body } = await api.call("GET", buildCollectionPath(crd.before, crd.versions.before));
    return listAt(body, "items")
      .filter(isObject)
      .map((item) => ({ crd, item }));
  });
  return lists.flat();
}

/** Reads every object of these kinds, and asks what each way of writing it is answered. */
export async function readObjects(api: AdminApi, crds: readonly PlayedCrd[]): Promise<readonly PlayedObject[]> {
  return mapInParallel(await listObjects(api, crds), async ({ crd, item }) => {
    const kind = textAt(item, "kind") ?? "";
    const name = textAt(item, "metadata", "name") ?? "";
    const namespace = textAt(item, "metadata", "namespace");
    const place = findPlace(crd, crd.versions.before, namespace, name);
    return { crd, kind, namespace, name, body: item, answers: await askWrites(api, place, item) };
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
  const fates = await mapInParallel(objects, async (object) => {
    const { crd, namespace, name, body, answers } = object;
    const isRefused = refusals.some((refused) => refused.name === crd.name);
    const version = isRefused ? crd.versions.before : crd.versions.after;
    const served = isRefused ? crd.before : (crd.after ?? crd.before);
    const place = findPlace({ ...crd, before: served }, version, namespace, name);
    const copied = { ...body, apiVersion: `${textAt(crd.before, "spec", "group")}/${version}` };
    const after = await askWrites(api, place, copied);
    return [object, judgeAnswers(answers, after, await setStatusAnew(api, place, copied))] as const;
  });
  return new Map(fates);
}

/** The kinds that can't be listed after the update. */
export async function findUnlistable(api: AdminApi, crds: readonly PlayedCrd[]): Promise<ReadonlySet<PlayedCrd>> {
  const answers = await mapInParallel(crds, async (crd) => {
    const path = buildCollectionPath(crd.after ?? crd.before, crd.versions.after);
    // Without a limit, the API server answers from its cache.
    const { code } = await api.call("GET", `${path}?limit=500`);
    return code === 500 ? [crd] : [];
  });
  return new Set(answers.flat());
}

function findPlace(crd: PlayedCrd, version: string, namespace: string | undefined, name: string): WrittenPlace {
  const collection = buildCollectionPath(crd.before, version, namespace);
  const served = listAt(crd.before, "spec", "versions").find((one) => textAt(one, "name") === version);
  const hasStatus = at(served, "subresources", "status") !== undefined;
  return { path: `${collection}/${name}`, collection, hasStatus };
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
