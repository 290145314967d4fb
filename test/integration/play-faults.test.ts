import assert from "node:assert/strict";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { describe, test } from "node:test";
import type { PlantedFault, PlayedPair, PlayedWorld } from "../../tools/play/fault.ts";
import { FAULTS } from "../../tools/play/faults/index.ts";
import { connectAdminApi } from "../support/admin-api.ts";
import { runCheck } from "../support/check-run.ts";
import {
  type ControlPlane,
  createPayload,
  noControlPlane,
  startCluster,
  startControllers,
} from "../support/control-plane.ts";
import { createRandom } from "../support/schema/differential/random.ts";
import { createTemporaryFolder } from "../support/temporary-folder.ts";

const SEED = 1;
const CONTROLLERS = ["disruption-controller", "replicaset-controller", "statefulset-controller"];
/** The target's definitions that a fault here needs. The faults apply what else they need; `npm run play` updates the whole cluster. */
const DEFINITIONS = /_(?:nodes|clusterversions?)(?:-Default)?\.crd\.yaml$/;

/** Each fault is planted once, in a pair that shows it. */
const PLAYS: readonly { readonly pair: PlayedPair; readonly checks?: readonly string[] }[] = [
  { pair: { source: "4.20", target: "4.21", emulated: { before: 33, after: 34 } } },
  { pair: { source: "4.18", target: "4.19", emulated: undefined }, checks: ["cgroup-v1", "gateway-api-crds"] },
  { pair: { source: "4.18", target: "4.17", emulated: undefined }, checks: ["capability-enums"] },
];

describe("planted faults come true as predicted, and look-alikes don't", { skip: noControlPlane }, () => {
  for (const { pair, checks } of PLAYS)
    test(`from ${pair.source} to ${pair.target}`, async (t) => {
      const payload = await createPayload(join(createTemporaryFolder(), "payload"), pair.target, `${pair.target}.9`);
      const cluster = await startCluster(pair.source);
      const api = await connectAdminApi(cluster);
      const worldOf = (i: number): PlayedWorld => ({ cluster, api, pair, payload, random: createRandom(SEED + i) });
      const chosen = FAULTS.filter((fault) => fault.applies(pair) === true && (checks?.includes(fault.check) ?? true));
      try {
        if (!checks) await startControllers(cluster, CONTROLLERS);
        await Promise.all(chosen.map((fault, i) => fault.plant(worldOf(i))));
        const predicted = await predict(cluster, payload, chosen);
        if (checks) await replaceDefinitions(cluster, payload);
        const happened: string[] = [];
        for (const [i, fault] of chosen.entries()) happened.push(...(await observe(worldOf(i), fault)));
        t.diagnostic(`${chosen.length} faults, ${happened.length} fates`);
        assert.ok(happened.length > 0);
        assert.deepEqual(predicted, happened.toSorted());
      } finally {
        api.close();
        await cluster.down();
      }
    });
});

/** The findings of the planted faults' risks. */
async function predict(
  { kubeconfig }: ControlPlane,
  payload: string,
  faults: readonly PlantedFault[],
): Promise<readonly string[]> {
  const flags = ["--kubeconfig", kubeconfig, "--target", payload];
  const onRequest = faults.filter((fault) => fault.isOnRequest).map(({ check }) => check);
  const runs = [await runCheck(flags)];
  if (onRequest.length > 0) runs.push(await runCheck(["--only", onRequest.join(), ...flags]));
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

async function replaceDefinitions({ kubectl }: ControlPlane, payload: string): Promise<void> {
  for (const folder of ["manifests", "release-manifests"])
    for (const file of (await readdir(join(payload, folder))).filter((name) => DEFINITIONS.test(name)))
      await kubectl(["replace", "-f", join(payload, folder, file)]);
}
