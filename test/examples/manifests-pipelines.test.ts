import assert from "node:assert/strict";
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { load } from "js-yaml";
import { type Json, listAt, objectAt, parseJson, textAt, textsAt } from "../../src/model/json.ts";
import {
  createManifestRepository,
  type ManifestRepository,
  readExample,
} from "../support/examples/manifest-repository.ts";
import { createPipeline, type Pipeline, type Ran, runStep } from "../support/examples/pipeline-environment.ts";

type Change = ManifestRepository & Ran;

/** What a pipeline makes of a change that adds a Widget of this size. */
function change(t: TestContext, size: string, run: (repository: ManifestRepository) => Ran): Change {
  const repository = createManifestRepository(t);
  repository.addWidget("new", size);
  return { ...repository, ...run(repository) };
}

function runGitlab({ pipeline, base }: ManifestRepository): Ran {
  const script = textsAt(readExample("gitlab-ci/manifests.gitlab-ci.yml"), "manifests", "script").join("\n");
  return runStep(pipeline, script, { CI_MERGE_REQUEST_DIFF_BASE_SHA: base });
}

test("GitLab CI fails a merge request for what it breaks, with a report for its lines", (t) => {
  const { code, out, pipeline } = change(t, "huge", runGitlab);
  assert.equal(code, 3, out);
  const [entry = null, ...others] = listAt(parseJson(pipeline.read("gl-code-quality-report.json")));
  assert.deepEqual(others, []);
  assert.equal(textAt(entry, "location", "path"), "deploy/new.yaml");
  assert.equal(change(t, "3", runGitlab).code, 0);
});

/** The archive of a release holds preflight alone here. */
function runTekton({ pipeline, base }: ManifestRepository): Ran {
  const { folder } = pipeline;
  const curl = join(folder, ".bin/curl");
  writeFileSync(curl, `#!/bin/sh\ntar --create --gzip --directory '${folder}/.bin' preflight\n`);
  chmodSync(curl, 0o755);
  const script = textAt(readExample("tekton/manifests.yaml"), "spec", "steps", 0, "script") ?? "";
  const own = script.replaceAll("/tmp/preflight", join(folder, "preflight"));
  return runStep(pipeline, own, { BASE: base, TO: "v1.36", PREFLIGHT_URL: "https://example.com/preflight.tar.gz" });
}

test("Tekton's task fails a pull request for what it breaks", (t) => {
  const { code, out } = change(t, "huge", runTekton);
  assert.equal(code, 3, out);
  assert.match(out, /deploy\/new\.yaml:6:3 spec\.size/);
  assert.equal(change(t, "3", runTekton).code, 0);
});

function runPreCommit({ pipeline }: ManifestRepository): Ran {
  const hook = listAt(readExample("pre-commit/.pre-commit-config.yaml"), "repos", 0, "hooks")[0];
  return runStep(pipeline, textAt(hook, "entry") ?? "");
}

test("the hook of pre-commit refuses a commit for what it breaks", (t) => {
  const { code, out } = change(t, "huge", runPreCommit);
  assert.equal(code, 3, out);
  assert.match(out, /deploy\/new\.yaml:6:3 spec\.size/);
  assert.equal(change(t, "3", runPreCommit).code, 0);
});

const WEB = objectAt(readExample("argo-cd/manifests/deploy/web.yaml"));
const WRONG = { ...WEB, apiVersion: "apps/v1beta2" };

/** As the kubelet mounts a ConfigMap: each file is a link into a folder that is a link. */
function mount(folder: string, text: string): void {
  mkdirSync(join(folder, "..2026_11_28"));
  writeFileSync(join(folder, "..2026_11_28/web.yaml"), text);
  symlinkSync("..2026_11_28", join(folder, "..data"));
  symlinkSync("..data/web.yaml", join(folder, "web.yaml"));
}

function runHook(t: TestContext, manifest: Json): Ran {
  const pipeline = createPipeline(t, "nothing");
  const folder = join(pipeline.folder, "manifests");
  mkdirSync(folder);
  mount(folder, JSON.stringify(manifest));
  const args = textsAt(
    readExample("argo-cd/manifests/check.yaml"),
    "spec",
    "template",
    "spec",
    "containers",
    0,
    "args",
  );
  const { PATH = "", HOME = "" } = pipeline.env;
  return runStep({ ...pipeline, env: { PATH, HOME } }, args.join(" ").replace("/manifests", folder));
}

test("the hook of Argo CD fails a sync of what the target refuses, and reads no cluster", (t) => {
  const { code, out } = runHook(t, WRONG);
  assert.equal(code, 3, out);
  assert.match(
    out.replaceAll(/\s+/g, " "),
    /web\.yaml:1:\d+ apiVersion: Kubernetes 1\.16 and later don't serve apps\/v1beta2/,
  );
  const right = runHook(t, WEB);
  assert.equal(right.code, 0, right.out);
  assert.match(right.out, /1 object/);
});

test("the hook of Argo CD judges each file that is synced, by an account without rights", () => {
  const kustomization = readExample("argo-cd/manifests/kustomization.yaml");
  const synced = textsAt(kustomization, "resources").filter((name) => name !== "check.yaml");
  assert.deepEqual(textsAt(kustomization, "configMapGenerator", 0, "files"), synced);
  const pod = objectAt(readExample("argo-cd/manifests/check.yaml"), "spec", "template", "spec");
  assert.deepEqual([pod["automountServiceAccountToken"], pod["serviceAccountName"]], [false, undefined]);
});

function runPlugin(t: TestContext, manifest: Json): Ran & { readonly pipeline: Pipeline } {
  const pipeline = createPipeline(t, "nothing");
  const kustomize = join(pipeline.folder, ".bin/kustomize");
  writeFileSync(kustomize, `#!/bin/sh\ncat '${pipeline.folder}/rendered.json'\n`);
  chmodSync(kustomize, 0o755);
  writeFileSync(join(pipeline.folder, "rendered.json"), JSON.stringify(manifest));
  const plugin: Json = JSON.parse(
    JSON.stringify(load(textAt(readExample("argo-cd/plugin.yaml"), "data", "plugin.yaml") ?? "")),
  );
  const [script = ""] = textsAt(plugin, "spec", "generate", "args");
  const { PATH = "", HOME = "" } = pipeline.env;
  return { pipeline, ...runStep({ ...pipeline, env: { PATH, HOME } }, `(${script}\n) 2>errors`) };
}

test("the plugin of Argo CD prints manifests only if the target takes them", (t) => {
  const wrong = runPlugin(t, WRONG);
  assert.deepEqual([wrong.code, wrong.out], [3, ""]);
  assert.match(wrong.pipeline.read("errors"), /apps\/v1beta2/);
  const right = runPlugin(t, WEB);
  assert.equal(right.code, 0, right.pipeline.read("errors"));
  assert.deepEqual(parseJson(right.out), WEB);
});
