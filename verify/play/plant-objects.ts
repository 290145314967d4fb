import { type JsonObject, at, listAt, objectAt, textAt } from "../../src/model/json.ts";
import type { AdminApi, AdminResponse } from "../api-server/admin-api.ts";
import type { Random } from "../schema/random/random.ts";
import { type CandidateSource, createCandidateSource } from "./candidates.ts";
import type { PlayedWorld } from "./fault.ts";
import { type PlayedCrd, buildCollectionPath } from "./played-crd.ts";
import { listServedVersions } from "./releases.ts";

const MERGE = "application/merge-patch+json";
const APPLY = "application/apply-patch+yaml";
const MAX_BATCHES = 3;
const MAX_PER_KIND = 40;
/** The share of objects that go to kinds which the target changes. */
const CHANGED_SHARE = 0.75;
const NAMESPACES: readonly [string, ...string[]] = ["demo-a", "demo-b"];

/** Stores random objects until there are `wanted`, and returns how many. `weigh`: how interesting a kind is. */
export async function plantObjects(
  world: PlayedWorld,
  crds: readonly PlayedCrd[],
  wanted: number,
  weigh: (crd: PlayedCrd) => number,
): Promise<number> {
  const plantable = crds.filter(isPlantable);
  const changed = plantable.filter((crd) => crd.isChanged);
  const others = plantable.filter((crd) => !crd.isChanged);
  const forChanged = changed.length === 0 ? 0 : Math.round(wanted * CHANGED_SHARE);
  const planted = await plantAmong(world, changed, forChanged, weigh);
  return planted + (await plantAmong(world, others, wanted - planted, () => 1));
}

/** A webhook that converts needs a backend, which nothing runs here. */
function isPlantable({ before }: PlayedCrd): boolean {
  return textAt(before, "spec", "conversion", "strategy") !== "Webhook";
}

async function plantAmong(
  world: PlayedWorld,
  crds: readonly PlayedCrd[],
  wanted: number,
  weigh: (crd: PlayedCrd) => number,
): Promise<number> {
  const total = crds.reduce((sum, crd) => sum + weigh(crd), 0);
  let planted = 0;
  for (const crd of crds) {
    const share = Math.min(MAX_PER_KIND, Math.ceil((wanted * weigh(crd)) / total));
    planted += await plantKind(world, crd, Math.min(share, Math.max(0, wanted - planted)));
  }
  return planted;
}

async function plantKind({ api, random }: PlayedWorld, crd: PlayedCrd, count: number): Promise<number> {
  const versions = listServedVersions(crd.before);
  const sources = new Map<string, CandidateSource>();
  let planted = 0;
  for (let i = 0; i < count; i += 1) {
    const version = random.oneOf(versions) ?? crd.versions[0].before;
    const source = sources.get(version) ?? createCandidateSource(crd, version);
    sources.set(version, source);
    const other = random.oneOf(versions) ?? version;
    if (await plantOne({ api, random }, { crd, version, other, source }, `play-${i}`)) planted += 1;
    else if (planted === 0 && i > 0) return 0;
  }
  return planted;
}

/** `other`: the version in which a second manager writes. */
type Kind = {
  readonly crd: PlayedCrd;
  readonly version: string;
  readonly other: string;
  readonly source: CandidateSource;
};
type Writer = { readonly api: AdminApi; readonly random: Random };

async function plantOne(
  { api, random }: Writer,
  { crd, version, other, source }: Kind,
  name: string,
): Promise<boolean> {
  const isNamespaced = textAt(crd.before, "spec", "scope") === "Namespaced";
  const namespace = isNamespaced ? random.pick(NAMESPACES) : undefined;
  const collection = buildCollectionPath(crd.before, version, namespace);
  const second = buildCollectionPath(crd.before, other, namespace);
  const write = random.pick([create, createAndReplace, createAndPatch, apply]);
  for (let batch = 0; batch < MAX_BATCHES; batch += 1)
    for (const object of source(random, name)) {
      const { code } = await write(api, collection, object, second);
      if (code >= 300) continue;
      await writeStatus({ api, random }, crd, `${collection}/${name}`, object);
      return true;
    }
  return false;
}

/** `second`: the collection of the version in which a second manager writes. */
type Write = (api: AdminApi, collection: string, object: JsonObject, second: string) => Promise<AdminResponse>;

const create: Write = (api, collection, object) => api.call("POST", `${collection}?fieldManager=creator`, object);

const createAndReplace: Write = async (api, collection, object, second) => {
  const created = await create(api, collection, object, second);
  if (created.code >= 300) return created;
  const labels = { played: "replaced" };
  const metadata = { ...objectAt(created.body, "metadata"), labels };
  return api.call("PUT", `${getPath(collection, object)}?fieldManager=replacer`, { ...created.body, metadata });
};

const createAndPatch: Write = async (api, collection, object, second) => {
  const created = await create(api, collection, object, second);
  if (created.code >= 300) return created;
  const patch = { metadata: { annotations: { played: "patched" } } };
  return api.call("PATCH", `${getPath(second, object)}?fieldManager=patcher`, patch, MERGE);
};

const apply: Write = async (api, collection, object, second) => {
  const applied = await api.call("PATCH", `${getPath(collection, object)}?force=true&fieldManager=one`, object, APPLY);
  if (applied.code >= 300) return applied;
  const { kind = "" } = object;
  const apiVersion = second.split("/").slice(2, 4).join("/");
  const metadata = { name: textAt(object, "metadata", "name") ?? "", labels: { played: "applied" } };
  return api.call(
    "PATCH",
    `${getPath(second, object)}?force=true&fieldManager=two`,
    { apiVersion, kind, metadata },
    APPLY,
  );
};

function getPath(collection: string, object: JsonObject): string {
  return `${collection}/${textAt(object, "metadata", "name")}`;
}

/** Where status is a subresource, creating an object leaves it out. */
async function writeStatus({ api, random }: Writer, crd: PlayedCrd, path: string, object: JsonObject): Promise<void> {
  const { status } = object;
  if (status === undefined || !hasStatus(crd.before) || random.chance(0.2)) return;
  const { body } = await api.call("GET", path);
  await api.call("PUT", `${path}/status?fieldManager=operator`, { ...body, status });
}

function hasStatus(crd: JsonObject): boolean {
  return listAt(crd, "spec", "versions").some((version) => at(version, "subresources", "status") !== undefined);
}
