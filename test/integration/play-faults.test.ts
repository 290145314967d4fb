import assert from "node:assert/strict";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { describe, test } from "node:test";
import type { PlantedFault, PlayedPair, PlayedWorld } from "../../verify/play/fault.ts";
import { FAULTS } from "../../verify/play/faults/index.ts";
import { type AdminApi, connectAdminApi } from "../../verify/api-server/admin-api.ts";
import { applyObjects, readManifests } from "../../verify/api-server/apply-objects.ts";
import { runCheck } from "../support/check-run.ts";
import {
  type ControlPlane,
  createPayload,
  createSmallPayload,
  noControlPlane,
  startCluster,
  startControllers,
} from "../../verify/api-server/control-plane.ts";
import { createRandom } from "../../verify/schema/random/random.ts";
import { createTemporaryFolder } from "../../verify/shared/temporary-folder.ts";
import { nightly } from "../support/cases/sample.ts";

const SEED = 1;
const CONTROLLERS = ["disruption-controller", "replicaset-controller", "statefulset-controller"];
/** The target's definitions that a fault here needs. The faults apply what else they need; `npm run play` updates the whole cluster. */
const DEFINITIONS = /_(?:nodes|clusterversions?)(?:-Default)?\.crd\.yaml$/;

type Play = { readonly pair: PlayedPair; readonly checks?: readonly string[] };

/** Each fault is planted once, in a pair that shows it. Pairs of one source share a cluster. */
const PLAYS: readonly (readonly [Play, ...Play[]])[] = [
  [{ pair: { source: "4.20", target: "4.21", emulated: { before: 33, after: 34 } } }],
  [
    { pair: { source: "4.18", target: "4.17", emulated: undefined }, checks: ["capability-enums"] },
    { pair: { source: "4.18", target: "4.19", emulated: undefined }, checks: ["cgroup-v1", "gateway-api-crds"] },
  ],
];

describe(
  "planted faults come true as predicted, and look-alikes don't",
  { skip: noControlPlane, concurrency: true },
  () => {
    for (const plays of PLAYS) {
      const { source } = plays[0].pair;
      // With controllers and an API server of another minor, it is a play.
      const skip = source === "4.20" && nightly;
      test(`from ${source} to ${plays.map(({ pair }) => pair.target).join(" and ")}`, { skip }, async (t) => {
        const cluster = await startCluster(source);
        const api = await connectAdminApi(cluster);
        try {
          for (const play of plays) t.diagnostic(await playFaults(cluster, api, play));
        } finally {
          api.close();
          await cluster.down();
        }
      });
    }
  },
);

async function playFaults(cluster: ControlPlane, api: AdminApi, { pair, checks }: Play): Promise<string> {
  const folder = join(createTemporaryFolder(), "payload");
  const version = `${pair.target}.9`;
  const payload = checks
    ? await createSmallPayload(folder, pair.target, version, "_nodes")
    : await createPayload(folder, pair.target, version);
  const worldOf = (i: number): PlayedWorld => ({ cluster, api, pair, payload, random: createRandom(SEED + i) });
  const chosen = FAULTS.filter((fault) => fault.applies(pair) === true && (checks?.includes(fault.check) ?? true));
  if (!checks) await startControllers(cluster, CONTROLLERS);
  await Promise.all(chosen.map((fault, i) => fault.plant(worldOf(i))));
  const predicted = await predict(cluster, payload, chosen);
  if (checks) await replaceDefinitions(cluster, payload);
  const happened = (await Promise.all(chosen.map((fault, i) => observe(worldOf(i), fault)))).flat();
  assert.ok(happened.length > 0);
  assert.deepEqual(predicted, happened.toSorted());
  return `${chosen.length} faults, ${happened.length} fates`;
}

/** The findings of the planted faults' risks. */
async function predict(
  { kubeconfig }: ControlPlane,
  payload: string,
  faults: readonly PlantedFault[],
): Promise<readonly string[]> {
  const flags = ["--kubeconfig", kubeconfig, "--target", payload];
  const onRequest = faults.filter((fault) => fault.isOnRequest).map(({ check }) => check);
  const runs = await Promise.all([
    runCheck(flags),
    ...(onRequest.length > 0 ? [runCheck(["--only", onRequest.join(), ...flags])] : []),
  ]);
  const risks = new Set(faults.flatMap((fault) => fault.risks.map((risk) => `${fault.check} ${risk}`)));
  const lines = runs
    .flatMap(({ findings }) => findings.map((finding) => finding.split(" ")))
    .filter(([check, risk]) => risks.has(`${check} ${risk}`))
    .map(([check, risk, kind, name]) => `${check} ${risk} ${kind} ${name}`);
  return [...new Set(lines)].toSorted();
}

async function observe(world: PlayedWorld, fault: PlantedFault): Promise<readonly string[]> {
  const fates = await fault.observe(world);
  for (const { risk } of fates) assert.ok(fault.risks.includes(risk), `${fault.name} shows ${risk}`);
  return [...new Set(fates.map(({ risk, object }) => `${fault.check} ${risk} ${object}`))];
}

async function replaceDefinitions(cluster: ControlPlane, payload: string): Promise<void> {
  for (const folder of ["manifests", "release-manifests"]) {
    const files = (await readdir(join(payload, folder))).filter((name) => DEFINITIONS.test(name));
    await applyObjects(
      cluster,
      files.flatMap((file) => readManifests(join(payload, folder, file))),
    );
  }
}
