import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";

const FOLDER = join(import.meta.dirname, "../../../examples/component-checks");

/** What a component ships. */
export type ComponentSet = {
  readonly component: string;
  readonly folder: string;
  /** The folders of its checks. */
  readonly checks: readonly string[];
  /** The path and the text of the ConfigMap in the payload. */
  readonly manifest: string;
  readonly manifestText: string;
};

export function listComponentSets(): readonly ComponentSet[] {
  return globSync("*/Makefile", { cwd: FOLDER })
    .map((path) => path.replace("/Makefile", ""))
    .toSorted()
    .map((component) => {
      const folder = join(FOLDER, component);
      const [manifest = ""] = globSync(join(folder, "manifests", "*_preflight-checks.yaml"));
      const checks = globSync(join(folder, "preflight", "*")).toSorted();
      return { component, folder, checks, manifest, manifestText: readFileSync(manifest, "utf8") };
    });
}
