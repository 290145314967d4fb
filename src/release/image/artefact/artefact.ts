import type { JsonObject } from "../../../model/json.ts";

/** The media types of checks, or of a list of known bugs, as an artefact of a registry. */
export const ARTEFACT_TYPE = "application/vnd.openshift.preflight.checks.v1";
export const LAYER_TYPE = "application/vnd.openshift.preflight.checks.layer.v1.tar+gzip";
export const CONFIG_TYPE = "application/vnd.openshift.preflight.checks.config.v1+json";

/** Far more than all checks of a release have. */
export const MAX_ARTEFACT_BYTES = 16 << 20;
export const MAX_ARTEFACT_FILES = 5_000;

/** A YAML file by its path in the artefact: "storage/check.yaml", "storage/cases/risk-old-driver.yaml". */
export type ArtefactFile = { readonly path: string; readonly text: string };

export type Artefact = {
  /** Of its manifest: what a reference names and a signature signs. */
  readonly digest: string;
  readonly config: JsonObject;
  /** Sorted by path. */
  readonly files: readonly ArtefactFile[];
};

/** Names that mean the same in every file system; none leads out of a folder, and none is hidden. */
export function isArtefactPath(path: string): boolean {
  const parts = path.split("/");
  return parts.length <= 8 && path.length <= 240 && parts.every((part) => /^\w[\w.-]*$/.test(part));
}

export function isYamlPath(path: string): boolean {
  return /\.ya?ml$/.test(path);
}
