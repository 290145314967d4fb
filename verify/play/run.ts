import { join } from "node:path";
import { type JsonObject, isObject, listAt, textAt } from "../../src/model/json.ts";
import type { AdminApi } from "../api-server/admin-api.ts";
import { CRDS } from "../api-server/api-path.ts";
import { createGateway } from "../api-server/etcd-gateway.ts";
import { plantSentinel } from "../api-server/sentinel.ts";
import { withTemporaryFolder } from "../shared/temporary-folder.ts";
import { type ComparedObject, compareFates, compareFaults, selectSaid } from "./compare.ts";
import { observeCrds } from "./crd-fates.ts";
import type { PlantedFault, PlayedPair, PlayedWorld } from "./fault.ts";
import type { PlayResult } from "./play-result.ts";
import type { Weights } from "./memory.ts";
import { writePayload } from "./payload.ts";
import { planUpdate } from "./planned-update.ts";
import { plantObjects } from "./plant-objects.ts";
import { askOnRequest, observeFaults, plantFaults, selectApplying } from "./played-faults.ts";
import {
  findUnlistable,
  judgeObjects,
  listObjects,
  type PlayedObject,
  readObjects,
  selectUnchanged,
} from "./played-objects.ts";
import { askPreflight, formatObject, type Said } from "./predictions.ts";
import { readAddedManifests } from "./releases.ts";
import type { ObjectFate } from "./truth.ts";
import { applyManifests } from "./update.ts";
import { replaceApiServer, startWorld } from "./world.ts";

export type PlayOptions = {
  readonly seed: number;
  /** How many objects are played, with those that the cluster has anyway. */
  readonly objects: number;
  /** How many kinds of the target are changed beyond what the release changes. */
  readonly tightened: number;
  readonly faults: readonly PlantedFault[];
  readonly weights: Weights;
  readonly say: (line: string) => void;
};

/** Plays one update from its beginning to its end, on a control plane of its own. */
export async function playUpdate(pair: PlayedPair, options: PlayOptions): Promise<PlayResult> {
  const begun = performance.now();
  const result = await withTemporaryFolder("play", async (folder) => {
    const world = await startWorld(pair, options.seed, join(folder, "payload"));
    try {
      return await playIn(world, options);
    } finally {
      world.api.close();
      // Its API server was replaced.
      await world.cluster.discard();
    }
  });
  return { ...result, seed: options.seed, seconds: (performance.now() - begun) / 1_000 };
}

async function playIn(world: PlayedWorld, options: PlayOptions): Promise<Omit<PlayResult, "seed" | "seconds">> {
  const { pair, api, cluster, payload } = world;
  const step = (what: string): void => options.say(`${pair.source} to ${pair.target}: ${what}`);
  step("plants objects");
  await plantSentinel(api, createGateway(cluster.env["ETCD_URL"] ?? ""));
  const plan = await planUpdate(world, options.tightened, options.weights);
  const files = await writePayload(payload, pair, plan.extra);
  const installed = await readCrds(api);
  const seeded = await listObjects(api, plan.crds);
  await plantObjects(world, plan.crds, options.objects - seeded.length, options.weights.weighCrd);
  step("reads and writes each object");
  const read = await readObjects(api, plan.crds);
  const first = await askPreflight(cluster.kubeconfig, payload);
  step("plants faults");
  const applying = selectApplying(options.faults, pair);
  const failed = await plantFaults(world, applying);
  const objects = await selectUnchanged(api, plan.crds, read);
  step(`checks ${objects.length} objects and ${applying.length} faults`);
  const { said: always, unknowns } = applying.length === 0 ? first : await askPreflight(cluster.kubeconfig, payload);
  const said = [...always, ...(await askOnRequest(cluster.kubeconfig, payload, applying))];
  step("updates");
  const updated = await replaceApiServer(world);
  const added = readAddedManifests(payload, files);
  const refusals = (await applyManifests(updated.api, [...plan.manifests, ...added])).filter(
    ({ name }) => !added.some(({ manifest }) => textAt(manifest, "metadata", "name") === name),
  );
  step("reads and writes each object again");
  const comparisons = compareObjects(said, await judgeObjects(updated.api, objects, refusals));
  const unlistable = await findUnlistable(updated.api, [...new Set(objects.map(({ crd }) => crd))]);
  const definitions = compareFaults(
    selectOfCrds(first.said),
    await observeCrds(updated.api, installed, objects, refusals),
  );
  step("observes faults");
  const faults = await observeFaults(updated, options.faults, subtract(said, first.said), failed);
  updated.api.close();
  return { pair, crds: plan.crds, refusals, comparisons, unlistable, definitions, faults, unknowns };
}

async function readCrds(api: AdminApi): Promise<readonly JsonObject[]> {
  const { body } = await api.call("GET", CRDS);
  return listAt(body, "items").filter(isObject);
}

function compareObjects(
  said: readonly Said[],
  fates: ReadonlyMap<PlayedObject, ObjectFate>,
): readonly ComparedObject[] {
  return [...fates].map(
    ([
      {
        crd,
        version: { before: version },
        kind,
        namespace,
        name,
        body,
      },
      happened,
    ]) => {
      const object = formatObject(kind, namespace, name);
      const own = selectSaid(said, textAt(crd.before, "spec", "group") ?? "", object, version);
      return { crd, object, version, body, said: own, happened, verdict: compareFates(own, happened) };
    },
  );
}

function selectOfCrds(said: readonly Said[]): readonly Said[] {
  return said.filter(({ check, object }) => check === "crd-skew" && object.startsWith("CustomResourceDefinition "));
}

function subtract(all: readonly Said[], known: readonly Said[]): readonly Said[] {
  const keyOf = ({ check, risk, group, object }: Said): string => [check, risk, group, object].join("\n");
  const keys = new Set(known.map(keyOf));
  return all.filter((one) => !keys.has(keyOf(one)));
}
