import { type JsonObject, isObject, listAt, objectAt, textAt } from "../../src/model/json.ts";
import { CRDS } from "../api-server/api-path.ts";
import type { AdminApi } from "../api-server/admin-api.ts";
import { CHANGES, type CrdChange, GROUP, buildKind } from "./crd-changes.ts";
import { eventually } from "../shared/eventually.ts";
import type { Random } from "../schema/random/random.ts";
import type { PlayedWorld } from "./fault.ts";
import type { Weights } from "./memory.ts";
import { buildCollectionPath, pairCrd, type PlayedCrd } from "./played-crd.ts";
import { type PlayedManifest, readReleaseCrds } from "./releases.ts";
import { addSecondVersions } from "./second-versions.ts";
import { CHANGE_NAMES, tighten } from "./tighten.ts";
import { waitUntilEstablished } from "./update.ts";

/** What the target brings, and the kinds of which objects are played. */
export type PlannedUpdate = {
  readonly manifests: readonly PlayedManifest[];
  /** The manifests that differ from the release's. */
  readonly extra: readonly PlayedManifest[];
  readonly crds: readonly PlayedCrd[];
};

const INCLUDED = { "include.release.openshift.io/self-managed-high-availability": "true" };
const MAX_CHANGES = 3;
const NAMESPACE = "demo-a";
const SECOND_VERSION = "second version";
/** About half of the kinds that change further have a second version. */
const SECOND_WEIGHT = 8;

/** Installs the definitions of faults, serves as many kinds in a second version, and changes `tightened` kinds of the target further. */
export async function planUpdate(
  { api, pair, random }: PlayedWorld,
  tightened: number,
  weights: Weights,
): Promise<PlannedUpdate> {
  const planted = await plantDefinitions(api);
  const target = readReleaseCrds(pair.target);
  const second = await addSecondVersions(api, target, tightened, random);
  const release = target.map((one): ChangedManifest => {
    const manifest = second.get(one);
    return manifest === undefined ? { ...one, changes: [] } : { ...one, manifest, changes: [SECOND_VERSION] };
  });
  const changed = changeSome(release, tightened, { random, weights });
  const manifests = [...release.map((one) => changed.get(one) ?? one), ...planted];
  const byName = new Map(manifests.map((one) => [textAt(one.manifest, "metadata", "name") ?? "", one]));
  const { body } = await api.call("GET", CRDS);
  const crds = listAt(body, "items")
    .filter(isObject)
    .flatMap((crd) => {
      const next = byName.get(textAt(crd, "metadata", "name") ?? "");
      const pairing = pairCrd(crd, next?.manifest);
      return pairing === undefined ? [] : [{ ...pairing, changes: next?.changes ?? [] }];
    });
  return { manifests, extra: manifests.filter(({ changes }) => changes.length > 0), crds };
}

type Chance = { readonly random: Random; readonly weights: Weights };

function nameOf(crd: JsonObject): { readonly name: string } {
  return { name: textAt(crd, "metadata", "name") ?? "" };
}

function pickWeighted<T>(random: Random, all: readonly T[], weigh: (one: T) => number): T | undefined {
  let at = random.next() * all.reduce((sum, one) => sum + weigh(one), 0);
  return all.find((one) => (at -= weigh(one)) < 0) ?? all.at(-1);
}

type ChangedManifest = PlayedManifest & { readonly changes: readonly string[] };

function changeSome(
  release: readonly ChangedManifest[],
  count: number,
  chance: Chance,
): ReadonlyMap<ChangedManifest, ChangedManifest> {
  const changed = new Map<ChangedManifest, ChangedManifest>();
  const weigh = ({ manifest, changes }: ChangedManifest): number =>
    chance.weights.weighCrd(nameOf(manifest)) * (changes.length === 0 ? 1 : SECOND_WEIGHT);
  for (let i = 0; i < count; i += 1) {
    const one = pickWeighted(chance.random, release, weigh);
    if (one === undefined || changed.has(one)) continue;
    changed.set(one, changeManifest(one, chance));
  }
  return changed;
}

function changeManifest(
  { file, manifest, changes: known }: ChangedManifest,
  { random, weights }: Chance,
): ChangedManifest {
  const changes = [...known];
  let next = manifest;
  for (let i = random.below(MAX_CHANGES); i >= 0; i -= 1) {
    const change = pickWeighted(random, CHANGE_NAMES, weights.weighChange) ?? "";
    const tightened = tighten(next, change, random);
    if (tightened === undefined) continue;
    next = tightened;
    changes.push(change);
  }
  return { file, manifest: next, changes };
}

/** The definitions of every kind of change, as they are before the update; returns those of the target. */
async function plantDefinitions(api: AdminApi): Promise<readonly ChangedManifest[]> {
  await Promise.all(CHANGES.map(({ before }) => api.call("POST", CRDS, before)));
  await waitUntilEstablished(
    api,
    CHANGES.map(({ before }) => textAt(before, "metadata", "name") ?? ""),
  );
  await Promise.all(CHANGES.map((change) => plantValue(api, change)));
  return CHANGES.map(({ name, after }) => ({
    file: `0000_99_play_${name}.crd.json`,
    manifest: include(after),
    changes: [name],
  }));
}

/** The value that shows the change, which random objects seldom have. */
async function plantValue(api: AdminApi, { name, before, value, written }: CrdChange): Promise<void> {
  const metadata = { name: "shows", namespace: NAMESPACE };
  const object = { apiVersion: `${GROUP}/${written}`, kind: buildKind(name), metadata, spec: { field: value } };
  await eventually(async () => {
    const { code, body } = await api.call("POST", buildCollectionPath(before, written, NAMESPACE), object);
    if (code !== 201 && code !== 409) throw new Error(`${name}: ${textAt(body, "message") ?? String(code)}`);
  });
}

function include(crd: JsonObject): JsonObject {
  return { ...crd, metadata: { ...objectAt(crd, "metadata"), annotations: INCLUDED } };
}
