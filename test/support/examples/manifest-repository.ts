import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { load } from "js-yaml";
import type { Json } from "../../../src/model/json.ts";
import { createPipeline, type Pipeline } from "./pipeline-environment.ts";

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

/** A repository, in whose commit `base` one object of deploy/ is wrong. */
export type ManifestRepository = {
  readonly pipeline: Pipeline;
  readonly base: string;
  /** Adds a Widget to deploy/, whose size is at 6:3. */
  readonly addWidget: (name: string, size: string) => void;
};

export function createManifestRepository(t: TestContext): ManifestRepository {
  const { env, ...rest } = createPipeline(t, "nothing");
  const { PATH = "", HOME = "" } = env;
  const pipeline = { ...rest, env: { PATH, HOME } };
  const { folder } = pipeline;
  const git = (...args: readonly string[]): string =>
    execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@example.com", ...args], {
      cwd: folder,
      encoding: "utf8",
    });
  const addWidget = (name: string, size: string): void => {
    const lines = [
      "apiVersion: example.com/v1",
      "kind: Widget",
      "metadata:",
      `  name: ${name}`,
      "spec:",
      `  size: ${size}`,
    ];
    writeFileSync(join(folder, `deploy/${name}.yaml`), `${lines.join("\n")}\n`);
  };
  for (const name of ["deploy", "crds"]) mkdirSync(join(folder, name));
  writeFileSync(join(folder, "crds/widgets.yaml"), CRD);
  addWidget("old", "big");
  git("init", "-q");
  git("add", "deploy", "crds");
  git("commit", "-q", "-m", "base");
  return { pipeline, base: git("rev-parse", "HEAD").trim(), addWidget };
}

/** The one document of a file of examples. */
export function readExample(name: string): Json {
  const text = readFileSync(join(import.meta.dirname, "../../../examples", name), "utf8");
  return JSON.parse(JSON.stringify(load(text)));
}
