import pLimit from "p-limit";
import { type JsonObject, isObject, listAt, objectAt, textAt } from "../../src/model/json.ts";
import type { AdminApi, AdminResponse } from "../api-server/admin-api.ts";
import { formatOracleError, isOwnError, sortUnique } from "./disagreement.ts";
import { PARTNERS, type Sample, findField, formatRead, formatTold } from "./prediction.ts";
import { type Subject, isOfVersion } from "./subject.ts";
import type { Outcome, Verdict } from "./verdict.ts";

const DRY_RUN = "dryRun=All";
const CONCURRENCY = 24;
const MERGE = "application/merge-patch+json";
const APPLY = "application/apply-patch+yaml";
const TOUCHED = { labels: { touched: "yes" } };

/** What was said of an object by a server. */
export type Answer = { readonly subject: Subject; readonly sample: Sample; readonly outcome: Outcome };

type Stored = {
  readonly object: JsonObject;
  readonly name: string;
  readonly store: Verdict;
  readonly stored?: JsonObject;
};

/** The collection's path, with the name of an object or without. */
function pathOf({ round, version, plural, isNamespaced }: Subject, name?: string, apiVersion?: string): string {
  const place = isNamespaced ? "namespaces/default/" : "";
  const base = `/apis/${apiVersion ?? `${round.group}/${version}`}/${place}${plural}`;
  return name === undefined ? base : `${base}/${encodeURIComponent(name)}`;
}

/** Creates the objects of a round, whose CRD is installed, with their status. */
export async function storeObjects(api: AdminApi, subject: Subject): Promise<readonly Stored[]> {
  const limit = pLimit(CONCURRENCY);
  const stores = await Promise.all(
    subject.round.objects.map((object) =>
      limit(async () => ({ object, store: await storeObject(api, subject, object) })),
    ),
  );
  const listed = await readAll(api, subject);
  return stores.map(({ object, store }) => {
    const name = textAt(object, "metadata", "name") ?? "";
    const stored = store.passes ? listed.get(name) : undefined;
    return { object, name, store, ...(stored ? { stored } : {}) };
  });
}

async function storeObject(api: AdminApi, subject: Subject, object: JsonObject): Promise<Verdict> {
  const created = await api.call("POST", pathOf(subject, undefined, textAt(object, "apiVersion")), object);
  const store = buildVerdict(created);
  if (store.passes && subject.hasStatus.before && isObject(object["status"])) {
    const path = pathOf(subject, textAt(object, "metadata", "name"), textAt(object, "apiVersion"));
    await api.call("PUT", `${path}/status`, { ...created.body, status: object["status"] });
  }
  return store;
}

/** The objects as a list has them, by name; empty if the list can't be read. */
async function readAll(api: AdminApi, subject: Subject): Promise<ReadonlyMap<string, JsonObject>> {
  const { body } = await api.call("GET", pathOf(subject));
  const { apiVersion, kind } = { apiVersion: `${subject.round.group}/${subject.version}`, kind: subject.kind };
  const items = listAt(body, "items").filter(isObject);
  return new Map(
    items.map((item) => [textAt(item, "metadata", "name") ?? "", { apiVersion, kind, ...dropManagers(item) }]),
  );
}

function dropManagers(object: JsonObject): JsonObject {
  const { managedFields: _, ...metadata } = objectAt(object, "metadata");
  return { ...object, metadata };
}

/** Reads and writes every stored object under the CRD of after; only `store` is known of the others. */
export async function askServer(api: AdminApi, subject: Subject, all: readonly Stored[]): Promise<readonly Answer[]> {
  const limit = pLimit(CONCURRENCY);
  const listed = await readAll(api, subject);
  const { before, after } = subject.hasStatus;
  return Promise.all(
    all.map(async ({ object, name, store, stored }, i) => {
      const ofVersion = isOfVersion(object, subject) && subject.schemas.storedAs === undefined;
      if (stored === undefined) return { subject, sample: { object }, outcome: ofVersion ? { store } : {} };
      const others = all
        .slice(i + 1, i + 1 + PARTNERS)
        .map((other) => listed.get(other.name))
        .filter(isObject);
      const sample: Sample = {
        object,
        stored,
        ...findField(others, "edit", "spec"),
        ...(before && after ? findField(others, "status", "status") : {}),
      };
      return limit(async () => {
        const asked = await askObject(api, subject, sample, name, listed.get(name));
        return { subject, sample, outcome: ofVersion ? { store, ...asked } : selectUnconverted(asked) };
      });
    }),
  );
}

/**
 * Of what is stored or was written in another version, whose schema differs, only a new object is compared: managed fields in that version
 * may refuse an apply, and the API server compares a write with a conversion that lacks the defaults of its own version.
 */
function selectUnconverted({ create }: Outcome): Outcome {
  return create ? { create } : {};
}

async function askObject(
  api: AdminApi,
  subject: Subject,
  { stored, edit, status }: Sample,
  name: string,
  listed: JsonObject | undefined,
): Promise<Outcome> {
  const path = pathOf(subject, name);
  const read = listed === undefined ? await api.call("GET", path) : { code: 200, body: listed };
  const body = read.code === 200 ? dropManagers(read.body) : (stored ?? {});
  const put = async (next: JsonObject, part = ""): Promise<Verdict> =>
    buildVerdict(await api.call("PUT", `${path}${part}?${DRY_RUN}`, next));
  const label = { apiVersion: body["apiVersion"] ?? "", kind: subject.kind, metadata: { name, ...TOUCHED } };
  const metadata = { ...objectAt(body, "metadata"), ...TOUCHED };
  const create = buildCreateVerdict(await api.call("POST", `${pathOf(subject)}?${DRY_RUN}`, buildCopy(stored ?? {})));
  const replace = await put({ ...body, metadata });
  const apply = await api.call("PATCH", `${path}?${DRY_RUN}&force=true&fieldManager=differential`, label, APPLY);
  const outcome = {
    read: read.code === 200 ? { passes: true, details: [formatRead(body)] } : { passes: false },
    create,
    unchanged: await put(body),
    replace,
    patch: buildVerdict(await api.call("PATCH", `${path}?${DRY_RUN}`, { metadata: TOUCHED }, MERGE)),
    apply: { passes: apply.code < 300 },
    told: formatTold({ isRejected: !replace.passes, isApplyRefused: apply.code >= 300, isFrozen: !create.passes }),
  };
  return {
    ...outcome,
    ...(edit ? { edit: await put({ ...body, ...edit }) } : {}),
    ...(status ? { status: await put({ ...body, ...status }, "/status") } : {}),
  };
}

function buildCopy(object: JsonObject): JsonObject {
  const { resourceVersion: _version, uid: _uid, ...metadata } = objectAt(object, "metadata");
  return { ...object, metadata };
}

/** A copy has the name of its original, because rules may ask for it: what exists already has been validated. */
function buildCreateVerdict(answer: AdminResponse): Verdict {
  return answer.code === 409 ? { passes: true, details: [] } : buildVerdict(answer);
}

/** Only a refusal by validation names its faults. */
function buildVerdict({ code, body }: AdminResponse): Verdict {
  if (code < 300) return { passes: true, details: [] };
  if (code !== 422) return { passes: false };
  const causes = listAt(body, "details", "causes").map((cause) => ({
    type: textAt(cause, "reason") ?? "",
    field: textAt(cause, "field") ?? "",
    detail: textAt(cause, "message") ?? "",
  }));
  return { passes: false, details: sortUnique(causes.filter(isOwnError).map(formatOracleError)) };
}
