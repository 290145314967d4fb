import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { listAt, textAt } from "../../src/model/json.ts";
import {
  createManifestRepository,
  type ManifestRepository,
  readExample,
} from "../support/examples/manifest-repository.ts";
import { type Ran, runStep } from "../support/examples/pipeline-environment.ts";
import { createWorkflowParser } from "../support/examples/workflow-parser.ts";

const NAME = "github-actions/manifests.yaml";
const TEXT = readFileSync(join(import.meta.dirname, "../../examples", NAME), "utf8");

test("GitHub's own parser accepts the workflow", async (t) => {
  const parser = await createWorkflowParser();
  t.after(parser.close);
  assert.deepEqual(parser.parse(TEXT), { errors: [], jobs: ["manifests"] });
});

function judge({ pipeline, base }: ManifestRepository): Ran {
  const steps = listAt(readExample(NAME), "jobs", "manifests", "steps");
  const step = textAt(steps.find((one) => textAt(one, "name") === "Judge manifests") ?? null, "run") ?? "";
  return runStep(pipeline, step, { BASE: base });
}

function change(t: TestContext, size: string): Ran {
  const repository = createManifestRepository(t);
  repository.addWidget("new", size);
  return judge(repository);
}

test("what a pull request breaks is annotated at its line, and fails it", (t) => {
  const { code, out } = change(t, "huge");
  assert.match(out, /^::error file=deploy\/new\.yaml,line=6,col=3,title=CustomResourceInvalid::Widget new /);
  assert.doesNotMatch(out, /deploy\/old\.yaml/);
  assert.equal(code, 3);
});

test("a pull request that is right passes, whatever was there before", (t) => {
  assert.equal(change(t, "3").code, 0);
});
