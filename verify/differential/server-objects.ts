import pLimit from "p-limit";
import { type JsonObject, isObject, listAt, objectAt, textAt } from "../../src/model/json.ts";
import type { Api } from "./handler-api.ts";
import { findStorageVersion, getNumber, getStoringCrd, listServed } from "./round.ts";
import { APPLY, CONCURRENCY, MERGE, buildVerdict, pathOf } from "./server-calls.ts";
import { type Subject, getVersion, hasStatus } from "./subject.ts";
import type { Verdict } from "./verdict.ts";

/** An object of a round, the answer to its create, and the version in which it is in etcd if it was stored. */
export type StoredObject = {
  readonly object: JsonObject;
  readonly name: string;
  readonly store: Verdict;
  readonly storedIn?: string;
};

/** Creates those objects of a round that are stored under a CRD, which is installed, with their status and with more than one writer. */
export async function storeObjects(api: Api, subject: Subject, crd: JsonObject): Promise<readonly StoredObject[]> {
  const limit = pLimit(CONCURRENCY);
  const own = subject.round.objects.filter((object) => getStoringCrd(subject.round, getNumber(object)) === crd);
  return Promise.all(own.map((object) => limit(() => storeObject(api, subject, crd, object))));
}

async function storeObject(api: Api, subject: Subject, crd: JsonObject, object: JsonObject): Promise<StoredObject> {
  const version = getVersion(object);
  const name = textAt(object, "metadata", "name") ?? "";
  const created = await api.call("POST", `${pathOf(subject, version)}?fieldManager=creator`, object);
  const store = buildVerdict(created);
  if (!store.passes) return { object, name, store };
  const path = pathOf(subject, version, name);
  if (hasStatus(subject.installed, version) && isObject(object["status"]))
    await api.call("PUT", `${path}/status`, { ...created.body, status: object["status"] });
  await addWriter(api, subject, listServed(crd), object);
  return { object, name, store, storedIn: findStorageVersion(crd) };
}

/** Lets another writer use another version, so that managed fields name it, for two of five objects. */
async function addWriter(api: Api, subject: Subject, served: readonly string[], object: JsonObject): Promise<void> {
  const number = getNumber(object);
  const version = served[number % served.length] ?? "";
  const name = textAt(object, "metadata", "name") ?? "";
  const path = `${pathOf(subject, version, name)}?fieldManager=writer`;
  const metadata = { annotations: { "example.com/writer": "yes" } };
  if (number % 5 === 1) await api.call("PATCH", path, { metadata }, MERGE);
  const apiVersion = `${subject.round.group}/${version}`;
  const applied = { apiVersion, kind: subject.installed.kind, metadata: { name, ...metadata } };
  if (number % 5 === 3) await api.call("PATCH", `${path}&force=true`, applied, APPLY);
}

/** The objects as a list of a version has them, by name; empty if the list can't be read. */
export async function readAll(api: Api, subject: Subject, version: string): Promise<ReadonlyMap<string, JsonObject>> {
  const { body } = await api.call("GET", pathOf(subject, version));
  const type = { apiVersion: `${subject.round.group}/${version}`, kind: subject.installed.kind };
  const items = listAt(body, "items").filter(isObject);
  return new Map(items.map((item) => [textAt(item, "metadata", "name") ?? "", { ...type, ...item }]));
}

/** As most clients send it. */
export function dropManagers(object: JsonObject): JsonObject {
  const { managedFields: _, ...metadata } = objectAt(object, "metadata");
  return { ...object, metadata };
}
