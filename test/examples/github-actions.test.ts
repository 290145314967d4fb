import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { load } from "js-yaml";
import { type Json, listAt, objectAt, textAt } from "../../src/model/json.ts";
import {
  createPipeline,
  DEMO_RISKS,
  type Pipeline,
  type Ran,
  REVIEWED,
  runStep,
} from "../support/examples/pipeline-environment.ts";
import { createWorkflowParser } from "../support/examples/workflow-parser.ts";

const FILE = join(import.meta.dirname, "../../examples/github-actions/preflight.yaml");
const TEXT = readFileSync(FILE, "utf8");
const workflow: Json = JSON.parse(JSON.stringify(load(TEXT)));

test("GitHub's own parser accepts the workflow, and refuses one with a fault", async (t) => {
  const parser = await createWorkflowParser();
  t.after(parser.close);
  assert.deepEqual(parser.parse(TEXT), { errors: [], jobs: ["check", "update"] });
  const { errors } = parser.parse(TEXT.replace("timeout-minutes: 30", "timeout: 30"));
  assert.match(errors.join(), /Unexpected value 'timeout'/);
});

function getCommands(job: string, step: string): string {
  const steps = listAt(workflow, "jobs", job, "steps");
  return textAt(steps.find((one) => textAt(one, "name") === step) ?? null, "run") ?? "";
}

/** Runs the steps as the runner does: the first that fails ends the job, and a later job runs only if the first succeeded. */
function play(pipeline: Pipeline): Ran {
  const temp = { RUNNER_TEMP: pipeline.folder, KUBECONFIG_TEXT: "{}" };
  const files = Object.fromEntries(
    ["GITHUB_ENV", "GITHUB_OUTPUT", "GITHUB_STEP_SUMMARY"].map((name) => [name, join(pipeline.folder, name)]),
  );
  const steps = ["Write the kubeconfig", "Check", "Name the release"];
  let ran: Ran = { code: 0, out: "" };
  for (const name of steps) {
    if (ran.code !== 0) return ran;
    const next = runStep(pipeline, getCommands("check", name), { ...temp, ...files });
    ran = { code: next.code, out: ran.out + next.out };
  }
  const version = /^version=(.*)$/m.exec(pipeline.read("GITHUB_OUTPUT"))?.[1] ?? "";
  if (ran.code === 0) runStep(pipeline, getCommands("update", "Start the update"), { ...temp, VERSION: version });
  return ran;
}

test("a risk is annotated and summarized, fails the job, and nothing is updated", (t) => {
  const pipeline = createPipeline(t, "nothing");
  const { code, out } = play(pipeline);
  assert.equal(code, 3);
  assert.match(out, /^::error title=DrainBlockedByDisruptionBudget::/m);
  assert.match(pipeline.read("GITHUB_STEP_SUMMARY"), /CrdServedVersionRemoved/);
  assert.equal(JSON.parse(pipeline.read("preflight.sarif")).version, "2.1.0");
  assert.match(pipeline.read("preflight.html"), /^<!doctype html>/);
  assert.equal(pipeline.updates(), "");
});

test("what cannot be checked fails the job with another code", (t) => {
  const pipeline = createPipeline(t, "everything");
  const config = JSON.parse(pipeline.read(REVIEWED));
  const accept = config.accept.filter(({ risk }: { readonly risk: string }) => risk !== "CrdSkewUnknown");
  writeFileSync(join(pipeline.folder, REVIEWED), JSON.stringify({ accept }));
  assert.equal(play(pipeline).code, 4);
  assert.equal(pipeline.updates(), "");
});

test("a change that accepts its own risks changes nothing", (t) => {
  const pipeline = createPipeline(t, "nothing");
  const accept = DEMO_RISKS.map((risk) => ({ risk, reason: "r" }));
  writeFileSync(join(pipeline.folder, ".preflight.yaml"), JSON.stringify({ accept }));
  assert.equal(play(pipeline).code, 3);
  const checkout = listAt(workflow, "jobs", "check", "steps")[0] ?? null;
  assert.equal(textAt(checkout, "with", "path"), dirname(REVIEWED));
  assert.match(textAt(checkout, "with", "ref") ?? "", /github\.base_ref/);
});

test("a clear cluster is updated to the release that was checked", (t) => {
  const pipeline = createPipeline(t, "everything");
  const { code, out } = play(pipeline);
  assert.equal(code, 0, out);
  assert.equal(pipeline.updates(), `--kubeconfig ${pipeline.folder}/kubeconfig adm upgrade --to 4.18.6\n`);
  assert.match(pipeline.read("GITHUB_ENV"), /^KUBECONFIG=/);
});

test("the update needs the check, and its own rights", () => {
  const update = objectAt(workflow, "jobs", "update");
  assert.deepEqual([update["needs"], update["environment"], update["permissions"]], ["check", "production", {}]);
});
