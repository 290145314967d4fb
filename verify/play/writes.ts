import { chooseReplicas } from "../../src/checks/crd-skew/writes.ts";
import { type JsonObject, listAt, objectAt, textAt } from "../../src/model/json.ts";
import type { AdminApi, AdminResponse } from "../api-server/admin-api.ts";

const MERGE = "application/merge-patch+json";
const APPLY = "application/apply-patch+yaml";
const DRY = "dryRun=All";
const LABELS = { touched: "yes" };

/** Where an object is in a version, whether its status is written apart, and which field the scale subresource writes, if there is one. */
export type WrittenPlace = {
  readonly path: string;
  readonly collection: string;
  readonly hasStatus: boolean;
  readonly replicas?: string;
};

/** The answers to every way of reading and writing an object, none of which lasts. */
export type Answers = {
  readonly read: AdminResponse;
  readonly replace: AdminResponse;
  readonly relabel: AdminResponse;
  readonly label: AdminResponse;
  /** Server-side apply of a label, and of everything that the object had before the update. */
  readonly apply: AdminResponse;
  readonly applyWhole: AdminResponse;
  readonly status: AdminResponse;
  /** Another number of replicas. */
  readonly scale: AdminResponse;
  /** A new object that equals what the object was before the update. */
  readonly copy: AdminResponse;
  readonly remove: AdminResponse;
};

export function passes({ code }: AdminResponse): boolean {
  return code < 300;
}

/** `copied`: the object as it was read before the update. */
export async function askWrites(api: AdminApi, place: WrittenPlace, copied: JsonObject): Promise<Answers> {
  const { path, collection, hasStatus, replicas } = place;
  const read = await api.call("GET", path);
  const { body } = read;
  const metadata = objectAt(body, "metadata");
  const labels = { ...objectAt(metadata, "labels"), ...LABELS };
  const { apiVersion = "", kind = "" } = copied;
  const name = textAt(copied, "metadata", "name") ?? "";
  const whole = withoutServerFields(copied);
  return {
    read,
    replace: await api.call("PUT", `${path}?${DRY}`, body),
    relabel: await api.call("PUT", `${path}?${DRY}`, { ...body, metadata: { ...metadata, labels } }),
    label: await api.call("PATCH", `${path}?${DRY}`, { metadata: { labels: LABELS } }, MERGE),
    apply: await apply(api, path, { apiVersion, kind, metadata: { name, labels: LABELS } }),
    applyWhole: await apply(api, path, hasStatus ? withoutStatus(whole) : whole),
    status: hasStatus ? await api.call("PUT", `${path}/status?${DRY}`, body) : read,
    scale: replicas === undefined ? read : await scale(api, path, body, replicas),
    // A name that is taken is looked at last, so what is wrong with the object is told first.
    copy: accept(409, await api.call("POST", `${collection}?${DRY}`, whole)),
    remove: await api.call("DELETE", `${path}?${DRY}`),
  };
}

function apply(api: AdminApi, path: string, object: JsonObject): Promise<AdminResponse> {
  return api.call("PATCH", `${path}?${DRY}&force=true&fieldManager=play`, object, APPLY);
}

/** The better answer to two numbers of replicas, since one may be refused for itself. `field`: the one that is written. */
async function scale(api: AdminApi, path: string, body: JsonObject, field: string): Promise<AdminResponse> {
  const [one, other] = chooseReplicas(body, field);
  const ask = (replicas: number): Promise<AdminResponse> =>
    api.call("PATCH", `${path}/scale?${DRY}`, { spec: { replicas } }, MERGE);
  const first = await ask(one);
  const isFine = (answer: AdminResponse): boolean =>
    passes(answer) || (answer.code === 422 && listCauses(answer).every((cause) => cause === field));
  if (isFine(first)) return first;
  const second = await ask(other);
  return isFine(second) ? second : first;
}

function accept(code: number, answer: AdminResponse): AdminResponse {
  return answer.code === code ? { ...answer, code: 200 } : answer;
}

function withoutServerFields(object: JsonObject): JsonObject {
  const { name = "", namespace, labels, annotations } = objectAt(object, "metadata");
  const metadata = {
    name,
    ...(namespace === undefined ? {} : { namespace }),
    ...(labels === undefined ? {} : { labels }),
    ...(annotations === undefined ? {} : { annotations }),
  };
  return { ...object, metadata };
}

function withoutStatus({ status: _status, ...rest }: JsonObject): JsonObject {
  return rest;
}

/**
 * Sets a status anew, as an operator does after it was lost: unchanged values are not validated. This write lasts, so it comes last.
 * Undefined where the object has none, or none can be removed.
 */
export async function setStatusAnew(
  api: AdminApi,
  { path, hasStatus }: WrittenPlace,
  copied: JsonObject,
): Promise<AdminResponse | undefined> {
  const { status } = copied;
  if (!hasStatus || status === undefined) return undefined;
  const cleared = await api.call("PATCH", `${path}/status`, { status: null }, MERGE);
  if (!passes(cleared)) return undefined;
  return api.call("PUT", `${path}/status?${DRY}`, { ...cleared.body, status });
}

/** The fields that a refusal names. */
export function listCauses({ body }: AdminResponse): readonly string[] {
  return listAt(body, "details", "causes").flatMap((cause) => {
    const field = textAt(cause, "field");
    const message = textAt(cause, "message") ?? "";
    return field === undefined || message.includes("some validation rules were not checked") ? [] : [field];
  });
}
