import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { runCheck } from "../support/check-run.ts";
import { type ControlPlane, createPayload, noControlPlane } from "../../verify/api-server/control-plane.ts";
import { hasAllCases } from "../support/cases/sample.ts";
import { getExpectedFindings } from "../support/integration/expected-findings.ts";
import { type Topology, startTopology } from "../support/integration/topologies.ts";
import { readReadiness } from "../support/format/readiness-validator.ts";
import { createTemporaryFolder } from "../../verify/shared/temporary-folder.ts";

type Row = {
  readonly release: string;
  readonly targets: readonly string[];
  /** Each topology is tried with several releases. */
  readonly topologies: readonly Topology[];
};

/** Every minor with the next two; some also with patch updates and a rollback. */
const MATRIX: readonly Row[] = [
  { release: "4.12", targets: ["4.12.9", "4.12.19", "4.13.2", "4.14.2"], topologies: ["dual"] },
  { release: "4.13", targets: ["4.14.2", "4.15.2"], topologies: ["ha"] },
  { release: "4.14", targets: ["4.15.2", "4.16.2"], topologies: ["hosted"] },
  { release: "4.15", targets: ["4.16.2", "4.17.2"], topologies: ["compact"] },
  { release: "4.16", targets: ["4.17.2", "4.18.2"], topologies: ["ha"] },
  { release: "4.17", targets: ["4.16.2", "4.17.9", "4.18.12", "4.19.2"], topologies: ["dual"] },
  {
    release: "4.18",
    targets: ["4.17.2", "4.18.9", "4.19.2", "4.20.3"],
    topologies: ["single-node", "dual"],
  },
  { release: "4.19", targets: ["4.20.2", "4.21.2"], topologies: ["hosted"] },
  { release: "4.20", targets: ["4.19.2", "4.20.9", "4.21.2", "4.22.2"], topologies: ["dual"] },
  { release: "4.21", targets: ["4.22.2", "4.23.2"], topologies: ["compact"] },
  { release: "4.22", targets: ["4.21.2", "4.22.9", "4.23.2", "5.0.2", "5.1.2"], topologies: ["ha", "hosted"] },
  { release: "4.23", targets: ["5.0.2", "5.1.2"], topologies: ["ha"] },
  {
    release: "5.0",
    targets: ["4.22.2", "5.0.9", "5.1.2", "5.2.2"],
    topologies: ["single-node", "hosted"],
  },
];

/** What each change tries: a way back, a patch and a way that skips a release. PREFLIGHT_CASES=all tries the whole matrix. */
const ALWAYS: readonly Row[] = [
  { release: "4.18", targets: ["4.17.2", "4.18.9", "4.20.3"], topologies: ["single-node"] },
];

for (const { release, targets, topologies } of hasAllCases ? MATRIX : ALWAYS) {
  for (const topology of topologies) {
    describe(`a healthy ${release} cluster, ${topology}`, { skip: noControlPlane }, () => {
      let cluster: ControlPlane;
      const folder = createTemporaryFolder();
      before(async () => {
        cluster = await startTopology(release, topology);
      });
      after(async () => {
        await cluster?.down();
      });
      for (const target of targets) {
        test(`has only real risks for an update to ${target}`, async () => {
          const payload = await createPayload(join(folder, target), minorOf(target), target);
          const file = join(folder, `readiness-${target}.json`);
          const args = ["--kubeconfig", cluster.kubeconfig, "--target", payload, "-o", `readiness=${file}`];
          const result = await runCheck(args);
          const truths = getExpectedFindings({ release, topology, target });
          assert.deepEqual(result.findings.toSorted(), truths.toSorted());
          assert.deepEqual(result.unknowns, []);
          assert.equal(result.code, truths.length === 0 ? 0 : 3);
          assert.equal(readReadiness(await readFile(file, "utf8")).decision === "recommend", truths.length === 0);
          const ids = Object.keys(result.outcomes).filter((id) => result.outcomes[id] === "risk");
          assert.deepEqual(ids, [...new Set(truths.map((line) => line.split(" ")[0]))].toSorted());
        });
      }
    });
  }
}

function minorOf(version: string): string {
  return version.split(".").slice(0, 2).join(".");
}
