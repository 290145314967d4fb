import assert from "node:assert/strict";
import { chmod, copyFile, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { listCaseFiles, readCase } from "../../../src/cases/case-files.ts";
import { loadChecks } from "../../../src/data-checks/load.ts";
import { type Json, listAt, textAt, textsAt } from "../../../src/model/json.ts";
import type { CaseCluster } from "../case-cluster.ts";
import { type Replay, buildCaseReplay } from "../case-replays.ts";
import { createSmallPayload } from "../../../verify/api-server/control-plane.ts";
import { readCheckText } from "../examples/check-cases.ts";
import { listComponentSets } from "../examples/component-checks.ts";
import { runPreflight } from "../../../verify/shared/preflight.ts";
import { openAdminShell } from "../../../verify/shared/admin-shell.ts";

const sets = listComponentSets();

/** A fault that a component's check finds, and how somebody removes it. */
export type ComponentTrial = {
  readonly component: string;
  /** The case with the fault. */
  readonly fault: string;
  /** The release that brings the check. */
  readonly target: "4.17.9" | "4.21.3";
  readonly risk: string;
  /** What is done in the editor that a command opens, as a script of sed. */
  readonly edit?: string;
};

export const COMPONENT_TRIALS: readonly ComponentTrial[] = [
  {
    component: "ingress",
    fault: "risk-one-of-several",
    target: "4.17.9",
    risk: "IngressCiphersUnsupported",
  },
  {
    component: "machine-config",
    fault: "risk-policy-of-the-cluster",
    target: "4.21.3",
    risk: "ImagePolicyReplaced",
  },
  {
    component: "monitoring",
    fault: "risk-two-minors-away",
    target: "4.21.3",
    risk: "PrometheusRulesRejected",
    edit: "s/holt_winters(\\(.*\\), 0.5, 0.1)/avg_over_time(\\1)/",
  },
  {
    component: "network",
    fault: "risk-left-from-openshift-sdn",
    target: "4.17.9",
    risk: "NetworkMigrationConfigured",
  },
  {
    component: "storage",
    fault: "risk-two-minors-away",
    target: "4.21.3",
    risk: "GitVolumesDisabled",
    edit: "s/gitRepo:/emptyDir: {}/; /directory: \\./d; /repository: /d",
  },
];

/** Payloads that have the manifests of all components. */
export async function createComponentPayloads(folder: string): Promise<void> {
  for (const version of new Set(COMPONENT_TRIALS.map(({ target }) => target))) {
    const payload = await createSmallPayload(join(folder, version), version.replace(/\.\d+$/, ""), version);
    for (const { manifest } of sets) await copyFile(manifest, join(payload, "release-manifests", basename(manifest)));
  }
}

/** The check in the payload reports the fault, and is clear once the commands that it prints were run. */
export async function runComponentTrial(cluster: CaseCluster, folder: string, trial: ComponentTrial): Promise<void> {
  const { id, replay } = await readFault(trial);
  const check = async (): Promise<Json> => {
    const args = ["check", "--target", join(folder, trial.target), "--only", `payload-${id}`, "-o", "json"];
    const { out } = await runPreflight(args, cluster.env);
    return listAt(JSON.parse(out), "checks").find((one) => textAt(one, "id") === `payload-${id}`) ?? null;
  };
  const editor = await writeEditor(folder, trial);
  const shell = await openAdminShell({ ...cluster.env, KUBE_EDITOR: editor });
  try {
    await cluster.load(replay.cluster());
    const findings = listAt(await check(), "findings");
    assert.deepEqual([...new Set(findings.map((one) => textAt(one, "risk")))], [trial.risk]);
    for (const command of findings.flatMap((one) => textsAt(one, "fix"))) {
      const { code, output } = await shell.run(command);
      assert.equal(code, 0, `${command}\n${output}`);
    }
    assert.equal(textAt(await check(), "outcome"), "clear");
  } finally {
    await shell.close();
    await cluster.reset();
  }
}

async function writeEditor(folder: string, { component, edit = "" }: ComponentTrial): Promise<string> {
  const path = join(folder, `edit-${component}`);
  await writeFile(path, `#!/bin/sh\nexec sed -i '${edit}' "$1"\n`);
  await chmod(path, 0o755);
  return path;
}

async function readFault({
  component,
  fault,
}: ComponentTrial): Promise<{ readonly id: string; readonly replay: Replay }> {
  const [path = ""] = sets.find((one) => one.component === component)?.checks ?? [];
  const [check] = (await loadChecks([readCheckText(path)], { kind: "embedded" }, new Set())).checks;
  assert.ok(check);
  const file = listCaseFiles(join(path, "cases"), check).find(({ name }) => name === fault);
  assert.ok(file);
  return { id: check.id, replay: buildCaseReplay(readCase(file)) };
}
