import { strict as assert } from "node:assert";
import { buildCheck } from "../../../src/data-checks/build-check.ts";
import { compileCheck } from "../../../src/data-checks/compile/compile.ts";
import { formatFault } from "../../../src/data-checks/format/fault.ts";
import { parseChecks } from "../../../src/data-checks/format/parse.ts";
import { createOriginPool } from "../../../src/data-checks/run/limits.ts";
import type { Check } from "../../../src/model/check.ts";
import { type Expect, expectOf } from "../../../src/cases/expectation.ts";
import { parseCase } from "../../../src/cases/parser.ts";
import { runCase } from "../../../src/cases/runner.ts";

/** A risk; its findings follow, two columns in. */
export const SEEN = `risks:
- name: Seen
  effect: broken
  title: It is seen
  url: https://example.com
  message: \${objects} are seen.
  remediation: Look away.
  findings:`;

/** A check with this `spec`, of which the title and what applies are given. */
export function writeCheck(spec: string): string {
  const lines = spec.split("\n").map((line) => `  ${line}`);
  return `apiVersion: preflight.openshift.io/v1alpha1
kind: PreflightCheck
metadata: {name: sample}
spec:
  title: The sample is sound
  applies: {updates: [patch, minor, rollback]}
${lines.join("\n")}
`;
}

/** The faults of a check, and the check if it has none. */
export async function compileText(
  text: string,
): Promise<{ readonly faults: readonly string[]; readonly check: Check | undefined }> {
  const { checks, faults } = await parseChecks({ name: "check.yaml", text });
  const [document] = checks;
  const definition = document?.definition;
  const compiled = definition === undefined ? [] : compileCheck(definition).faults;
  const all = [...faults, ...(document?.faults ?? []), ...compiled.flatMap((fault) => document?.locate(fault) ?? [])];
  const check =
    definition === undefined || all.length > 0 ? undefined : buildCheck(definition, { pool: createOriginPool() });
  return { faults: all.map(formatFault), check };
}

/** What a check reports of a cluster, which is written as in a case. */
export async function judgeCluster(spec: string, cluster: string): Promise<Expect> {
  const { faults, check } = await compileText(writeCheck(spec));
  if (check === undefined) assert.fail(faults.join("\n"));
  const text = parseCase(cluster.includes("source:") ? cluster : `source: 4.18.5\ntarget: 4.19.2\n${cluster}`);
  const { risks, ...rest } = expectOf(await runCase({ name: "sample", file: "sample.yaml", check, ...text }, []));
  return { ...rest, ...(risks === undefined ? {} : { risks: risks.filter(({ name }) => name !== "SampleUnknown") }) };
}
