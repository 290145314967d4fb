import { globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { loadAll } from "js-yaml";
import { isObject, type JsonObject, textAt, textsAt } from "../../../src/model/json.ts";

export const DEPLOY = join(import.meta.dirname, "..", "..", "..", "deploy");

/** Every folder under deploy/ that kubectl apply -k accepts, relative to deploy/. */
export const bases: readonly string[] = globSync("**/kustomization.yaml", { cwd: DEPLOY }).map(dirname).toSorted();

/** The YAML files in a base's own folder, without the kustomization. */
export function filesOf(base: string): readonly string[] {
  return globSync("*.yaml", { cwd: join(DEPLOY, base) })
    .filter((file) => file !== "kustomization.yaml")
    .toSorted();
}

export function kustomizationOf(base: string): JsonObject {
  return parseObjects(readFileSync(join(DEPLOY, base, "kustomization.yaml"), "utf8"))[0] ?? {};
}

/** The objects in the files of a base and of the bases that it builds on, before any patch. */
export function objectsOf(base: string): readonly JsonObject[] {
  return textsAt(kustomizationOf(base), "resources").flatMap((resource) =>
    resource.endsWith(".yaml")
      ? parseObjects(readFileSync(join(DEPLOY, base, resource), "utf8"))
      : objectsOf(join(base, resource)),
  );
}

export function parseObjects(text: string): readonly JsonObject[] {
  const documents: unknown = JSON.parse(JSON.stringify(loadAll(text)));
  return Array.isArray(documents) ? documents.filter(isObject) : [];
}

export function formatIdentity(object: JsonObject): string {
  return [textAt(object, "kind"), textAt(object, "metadata", "namespace"), textAt(object, "metadata", "name")]
    .filter((part) => part !== undefined)
    .join(" ");
}
