import pLimit from "p-limit";
import { type Json, type JsonObject, isObject, objectAt } from "../../src/model/json.ts";
import type { AdminResponse } from "../api-server/admin-api.ts";
import type { Api } from "./handler-api.ts";
import { chooseReplicas } from "../../src/checks/crd-skew/writes.ts";
import { type Sample, PARTNERS, findField, formatRead } from "./sample.ts";
import { APPLY, CONCURRENCY, MERGE, buildVerdict, pathOf } from "./server-calls.ts";
import { type StoredObject, dropManagers, readAll } from "./server-objects.ts";
import { type Subject, findReplicas, getVersion, hasStatus } from "./subject.ts";
import { type Outcome, type Verdict, findWorse, nameWay } from "./verdict.ts";

const DRY_RUN = "dryRun=All";
const TOUCHED = { labels: { touched: "yes" } };

/** What was said of an object by a server. */
export type Answer = { readonly subject: Subject; readonly sample: Sample; readonly outcome: Outcome };

/** An object as the versions show it that are served before the update, and what writes through them are answered then. */
export type Known = {
  readonly stored: StoredObject;
  /** As it is in etcd, if that can be known. */
  readonly kept?: JsonObject;
  readonly shown: Readonly<Record<string, JsonObject>>;
  readonly today: Readonly<Record<string, Outcome>>;
};

/** Reads every object under the CRD of before, and tries the writes that count for what is told. */
export async function askToday(api: Api, subject: Subject, all: readonly StoredObject[]): Promise<readonly Known[]> {
  const limit = pLimit(CONCURRENCY);
  const lists = await readVersions(api, subject, subject.served.before);
  return Promise.all(
    all.map((stored) =>
      limit(async (): Promise<Known> => {
        const shown: Record<string, JsonObject> = {};
        const today: Record<string, Outcome> = {};
        for (const version of stored.storedIn === undefined ? [] : subject.served.before) {
          const object = lists.get(version)?.get(stored.name);
          if (object === undefined) continue;
          shown[version] = object;
          today[version] = await askWrites(api, subject, version, stored.name, object, object);
        }
        const kept = stored.storedIn === undefined ? undefined : await readKept(api, subject, stored, shown);
        return { stored, shown, today, ...(kept ? { kept } : {}) };
      }),
    ),
  );
}

/** The handler has a path for it. A server shows what etcd has if only one version and one CRD were involved. */
async function readKept(
  api: Api,
  { round, plural, isNamespaced }: Subject,
  { object, name, storedIn = "" }: StoredObject,
  shown: Known["shown"],
): Promise<JsonObject | undefined> {
  const key = `${round.group}/${plural}/${isNamespaced ? "default/" : ""}${name}`;
  const { code, body } = await api.call("GET", `/etcd/${key}`);
  if (code === 200) return body;
  return round.older === undefined && getVersion(object) === storedIn ? shown[storedIn] : undefined;
}

async function readVersions(
  api: Api,
  subject: Subject,
  versions: readonly string[],
): Promise<ReadonlyMap<string, ReadonlyMap<string, JsonObject>>> {
  const lists = await Promise.all(versions.map((version) => readAll(api, subject, version)));
  return new Map(versions.map((version, i) => [version, lists[i] ?? new Map()]));
}

/** Reads and writes every stored object under the CRD of after, through each version; only `store` is known of the others. */
export async function askServer(api: Api, subject: Subject, all: readonly Known[]): Promise<readonly Answer[]> {
  const limit = pLimit(CONCURRENCY);
  const lists = await readVersions(api, subject, subject.served.after);
  return Promise.all(
    all.map(({ stored, kept, shown, today }, i) =>
      limit(async (): Promise<Answer> => {
        const { object, store, storedIn, name } = stored;
        if (storedIn === undefined)
          return { subject, sample: { object, shown: {}, today: {}, parts: {} }, outcome: { store } };
        const outcome: Record<string, Verdict> = { store };
        const parts: Record<string, Sample["parts"][string]> = {};
        for (const version of subject.served.after) {
          const list = lists.get(version);
          const others = all.slice(i + 1, i + 1 + PARTNERS).map((other) => list?.get(other.stored.name));
          const part = findParts(subject, version, others.filter(isObject));
          parts[version] = part;
          const asked = await askVersion(api, subject, version, name, shown[version], list?.get(name), part);
          const worse = today[version]
            ? { told: findWorse(today[version], asked, findReplicas(subject, version)) }
            : {};
          for (const [way, verdict] of Object.entries({ ...asked, ...worse })) outcome[nameWay(way, version)] = verdict;
        }
        return {
          subject,
          sample: { object, storedIn, shown, today, parts, ...(kept ? { stored: kept } : {}) },
          outcome,
        };
      }),
    ),
  );
}

function findParts({ installed, target }: Subject, version: string, others: readonly JsonObject[]) {
  const hasBoth = hasStatus(installed, version) && hasStatus(target, version);
  return { ...findField(others, "edit", "spec"), ...(hasBoth ? findField(others, "status", "status") : {}) };
}

async function askVersion(
  api: Api,
  subject: Subject,
  version: string,
  name: string,
  shown: JsonObject | undefined,
  listed: JsonObject | undefined,
  { edit, status }: Sample["parts"][string],
): Promise<Outcome> {
  const path = pathOf(subject, version, name);
  const read = listed === undefined ? await api.call("GET", path) : { code: 200, body: listed };
  const isRead = read.code === 200;
  const body = dropManagers(isRead ? read.body : (shown ?? {}));
  const put = async (next: JsonObject, part = ""): Promise<Verdict> =>
    buildVerdict(await api.call("PUT", `${path}${part}?${DRY_RUN}`, next));
  const merge = async (metadata: JsonObject): Promise<Verdict> =>
    buildVerdict(await api.call("PATCH", `${path}?${DRY_RUN}`, { metadata }, MERGE));
  const isFinal = Array.isArray(objectAt(body, "metadata")["finalizers"]);
  return {
    read: isRead ? { passes: true, details: [formatRead(body)] } : { passes: false },
    ...(await askWrites(api, subject, version, name, body, shown)),
    unchanged: await put(body),
    patch: await merge(TOUCHED),
    ...(isFinal ? { finalize: await merge({ finalizers: null }) } : {}),
    ...(edit ? { edit: await put({ ...body, ...edit }) } : {}),
    ...(status ? { status: await put({ ...body, ...status }, "/status") } : {}),
  };
}

/** The writes that crd-skew tells of: a copy of what was shown before, another label, server-side apply, and scaling. */
async function askWrites(
  api: Api,
  subject: Subject,
  version: string,
  name: string,
  body: JsonObject,
  shown: JsonObject | undefined,
): Promise<Outcome> {
  const path = pathOf(subject, version, name);
  const own = dropManagers(body);
  const apiVersion = `${subject.round.group}/${version}`;
  const label = { apiVersion, kind: subject.installed.kind, metadata: { name, ...TOUCHED } };
  const metadata = { ...objectAt(own, "metadata"), ...TOUCHED };
  const apply = await api.call("PATCH", `${path}?${DRY_RUN}&force=true&fieldManager=differential`, label, APPLY);
  const replace = buildVerdict(await api.call("PUT", `${path}?${DRY_RUN}`, { ...own, metadata }));
  const isStorable = replace.passes || replace.details !== undefined;
  return {
    ...(shown ? { create: await askCreate(api, subject, version, shown, isStorable) } : {}),
    replace,
    apply: { passes: apply.code < 300 },
    ...(await askScale(api, subject, version, name, own)),
  };
}

async function askScale(api: Api, subject: Subject, version: string, name: string, body: JsonObject): Promise<Outcome> {
  const path = findReplicas(subject, version);
  if (path === undefined) return {};
  const target = `${pathOf(subject, version, name)}/scale?${DRY_RUN}`;
  const [scale, rescale] = await Promise.all(
    chooseReplicas(body, path).map((replicas) => api.call("PATCH", target, { spec: { replicas } }, MERGE)),
  );
  return scale && rescale ? { scale: buildVerdict(scale), rescale: buildVerdict(rescale) } : {};
}

/**
 * A copy has the name of its original, because rules may ask for it: what exists already has been validated. Whether it can be stored is
 * known under another name alone.
 */
async function askCreate(
  api: Api,
  subject: Subject,
  version: string,
  shown: JsonObject,
  isStorable: boolean,
): Promise<Verdict> {
  const { resourceVersion: _version, uid: _uid, managedFields: _, ...metadata } = objectAt(shown, "metadata");
  const create = (name: Json): Promise<AdminResponse> =>
    api.call("POST", `${pathOf(subject, version)}?${DRY_RUN}`, { ...shown, metadata: { ...metadata, name } });
  const first = await create(metadata["name"] ?? "");
  if (first.code !== 409) return buildVerdict(first);
  if (isStorable) return { passes: true, details: [] };
  const { code } = await create("copy");
  return code < 500 ? { passes: true, details: [] } : { passes: false };
}
