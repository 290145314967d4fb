import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type JsonObject, objectAt, textAt } from "../../../src/model/json.ts";
import type { AdminResponse } from "../../api-server/admin-api.ts";
import { CRDS } from "../../api-server/api-path.ts";
import { eventually } from "../../shared/eventually.ts";
import type { PlantedFault, PlayedWorld } from "../fault.ts";
import { expose, startBackend } from "./backend.ts";
import { buildDefinitions, buildDeletion, type Definition, GROUP } from "./definition-kinds.ts";
import { getObjectsPath, getPlural, NAMESPACE, observeDefinition } from "./definition-fates.ts";
import { changeStatus, createNamespace, getName, must } from "./objects.ts";
import { plantRequestCount } from "./request-counts.ts";

const RECORD = `/api/v1/namespaces/${NAMESPACE}/configmaps`;
const RECORD_NAME = "planted";
/** An API server serves a changed definition after a moment. */
const SEEN_MS = 2_000;

/** Definitions that the target changes or deletes: their clients make their requests again after the update. */
export const changedDefinitions: PlantedFault = {
  check: "crd-skew",
  name: "definitions that the target changes",
  risks: [
    "CrdConversionUnavailable",
    "CrdDeletedWithObjects",
    "CrdNamesChanged",
    "CrdRefused",
    "CrdScopeOrKindChanged",
    "CrdServedVersionRemoved",
    "CrdStoredVersionRemoved",
    "CrdSubresourceRemoved",
  ],
  applies: () => true,
  async plant(world) {
    await createNamespace(world, NAMESPACE);
    const backend = await startBackend(world, NAMESPACE);
    const services = { backend, namespace: NAMESPACE, ready: "converter", down: "gone" };
    await expose(world, { namespace: NAMESPACE, name: services.ready, port: backend.port, presence: "ready" });
    const definitions = buildDefinitions(world.random, services);
    await Promise.all(definitions.map((definition) => plantDefinition(world, definition)));
    await record(world, definitions);
  },
  async observe(world) {
    const definitions = await readRecord(world);
    const answers = await Promise.all(definitions.map((definition) => applyTarget(world, definition)));
    await sleep(SEEN_MS);
    const observed = definitions.map(async (definition, i) => {
      const answer = answers[i];
      return answer === undefined ? [] : observeDefinition(world, definition, answer);
    });
    return (await Promise.all(observed)).flat();
  },
};

async function plantDefinition(
  world: PlayedWorld,
  { before, after, objects, counted, stored }: Definition,
): Promise<void> {
  const path = `${CRDS}/${getName(before)}`;
  await must(world, "POST", CRDS, before);
  for (const [i, version] of objects.entries())
    await eventually(() => must(world, "POST", getObjectsPath(before, version), buildObject(before, version, i)));
  for (const version of counted) await plantRequestCount(world, { group: GROUP, version, resource: getPlural(before) });
  await eventually(() =>
    changeStatus(world, path, (status) => ({ ...status, ...(stored ? { storedVersions: stored } : {}) })),
  );
  const manifest = join(world.payload, "release-manifests", `0000_99_fault_${getPlural(before)}.crd.yaml`);
  await writeFile(manifest, JSON.stringify(after ?? buildDeletion(before)));
}

function buildObject(crd: JsonObject, version: string, i: number): JsonObject {
  const kind = textAt(crd, "spec", "names", "kind") ?? "";
  return {
    apiVersion: `${GROUP}/${version}`,
    kind,
    metadata: { name: `object-${i}` },
    spec: { field: "a", replicas: 1 },
  };
}

/** The update may have deleted what tells later what there was. */
async function record(world: PlayedWorld, definitions: readonly Definition[]): Promise<void> {
  const data = { definitions: JSON.stringify(definitions) };
  await must(world, "POST", RECORD, { apiVersion: "v1", kind: "ConfigMap", metadata: { name: RECORD_NAME }, data });
}

async function readRecord(world: PlayedWorld): Promise<readonly Definition[]> {
  const definitions: readonly Definition[] = JSON.parse(
    textAt(await must(world, "GET", `${RECORD}/${RECORD_NAME}`), "data", "definitions") ?? "[]",
  );
  return definitions;
}

/** Does what the cluster-version operator does, also if the update has done it already. */
async function applyTarget({ api }: PlayedWorld, { before, after }: Definition): Promise<AdminResponse> {
  const path = `${CRDS}/${getName(before)}`;
  if (after === undefined) return api.call("DELETE", path);
  const { body } = await api.call("GET", path);
  return api.call("PUT", path, { ...body, spec: objectAt(after, "spec") });
}
