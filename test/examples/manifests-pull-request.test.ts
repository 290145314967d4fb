import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { load } from "js-yaml";
import { type Json, listAt, textAt } from "../../src/model/json.ts";
import { createPipeline, type Pipeline, type Ran, runStep } from "../support/examples/pipeline-environment.ts";
import { createWorkflowParser } from "../support/examples/workflow-parser.ts";

const FILE = join(import.meta.dirname, "../../examples/github-actions/manifests.yaml");
const TEXT = readFileSync(FILE, "utf8");
const workflow: Json = JSON.parse(JSON.stringify(load(TEXT)));

test("GitHub's own parser accepts the workflow", async (t) => {
  const parser = await createWorkflowParser();
  t.after(parser.close);
  assert.deepEqual(parser.parse(TEXT), { errors: [], jobs: ["manifests"] });
});

const CRD = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: widgets.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {plural: widgets, singular: widget, kind: Widget, listKind: WidgetList}
  versions:
    - name: v1
      served: true
      storage: true
      schema:
        openAPIV3Schema:
          type: object
          properties: {spec: {type: object, properties: {size: {type: integer}}}}
`;
const widget = (name: string, size: string): string =>
  `apiVersion: example.com/v1\nkind: Widget\nmetadata:\n  name: ${name}\nspec:\n  size: ${size}\n`;

/** A repository in whose base one object is wrong. */
function createRepository(t: TestContext): { readonly pipeline: Pipeline; readonly judge: () => Ran } {
  const pipeline = createPipeline(t, "nothing");
  const { folder, env } = pipeline;
  const git = (...args: readonly string[]): string =>
    execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@example.com", ...args], {
      cwd: folder,
      encoding: "utf8",
    });
  for (const name of ["deploy", "crds"]) mkdirSync(join(folder, name));
  writeFileSync(join(folder, "crds/widgets.yaml"), CRD);
  writeFileSync(join(folder, "deploy/old.yaml"), widget("old", "big"));
  git("init", "-q");
  git("add", "deploy", "crds");
  git("commit", "-q", "-m", "base");
  const base = git("rev-parse", "HEAD").trim();
  const { PATH = "", HOME = "" } = env;
  const steps = listAt(workflow, "jobs", "manifests", "steps");
  const step = textAt(steps.find((one) => textAt(one, "name") === "Judge manifests") ?? null, "run") ?? "";
  return { pipeline, judge: () => runStep({ ...pipeline, env: { PATH, HOME } }, step, { BASE: base }) };
}

test("what a pull request breaks is annotated at its line, and fails it", (t) => {
  const { pipeline, judge } = createRepository(t);
  writeFileSync(join(pipeline.folder, "deploy/new.yaml"), widget("new", "huge"));
  const { code, out } = judge();
  assert.match(out, /^::error file=deploy\/new\.yaml,line=6,col=3,title=CustomResourceInvalid::Widget new /);
  assert.doesNotMatch(out, /deploy\/old\.yaml/);
  assert.equal(code, 3);
});

test("a pull request that is right passes, whatever was there before", (t) => {
  const { pipeline, judge } = createRepository(t);
  writeFileSync(join(pipeline.folder, "deploy/new.yaml"), widget("new", "3"));
  assert.equal(judge().code, 0);
});
