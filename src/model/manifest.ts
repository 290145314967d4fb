import type { CheckOrigin } from "./check-origin.ts";
import type { Json, JsonObject } from "./json.ts";
import type { ObjectRef } from "./resource.ts";
import type { Platform } from "./version.ts";

/** The names of fields and the indexes of lists that lead from an object's root to a field: ["spec", "ports", 0, "name"]. */
export type ManifestPath = readonly (string | number)[];

/** `line` and `column` count from 1. `source`: of rendered output, the template that it was made from ("# Source: chart/templates/x.yaml"). */
export type ManifestPlace = {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly source?: string;
};

/**
 * An object of a file. `locate` gives the place of a field or, if it is not there, that of the nearest field around it. `repeated`: fields
 * that stand more than once in their map, of which kubectl takes the last.
 */
export type Manifest = {
  readonly object: JsonObject;
  readonly locate: (path: ManifestPath) => ManifestPlace;
  readonly repeated?: readonly RepeatedField[];
};

/** `place`: where the value stands that does not count. */
export type RepeatedField = { readonly path: ManifestPath; readonly place: ManifestPlace };

/**
 * What a file holds that is no object, and why it was not read. It is never passed over in silence. `OtherContent`: a file in a folder that
 * nobody takes for a manifest, such as one of Helm's values or of another tool; every other reason leaves something unknown.
 */
export type UnreadManifest = {
  readonly reason: "NotRendered" | "NotUnderstood" | "TooLarge" | "NotAFile" | "NotAnObject" | "OtherContent";
  readonly place: ManifestPlace;
  readonly message: string;
};

/** What is certain to mend a finding: no field means anything else after it. */
export type ManifestEdit =
  | { readonly kind: "set"; readonly path: ManifestPath; readonly value: Json }
  | { readonly kind: "rename"; readonly path: ManifestPath; readonly to: string }
  | { readonly kind: "remove"; readonly path: ManifestPath };

/**
 * What the target's API server does with an object. `refused`: it takes it in no form. `dropped`: it takes it without the field. `blocks`: it
 * takes it, and the update waits for it. `breaks`: it takes it, and what it stands for no longer works after the update. `later`: it takes
 * it, and a later release doesn't.
 */
export type ManifestEffect = "refused" | "dropped" | "blocks" | "breaks" | "later";

/** `risk`: the name that the same fault has in a cluster, if there it has one. `path`: the field, in `object` as it stands in the file. */
export type ManifestFinding = {
  readonly risk: string;
  readonly effect: ManifestEffect;
  readonly path: ManifestPath;
  /** What will happen, in a sentence. */
  readonly message: string;
  /** What to write instead, in a sentence. */
  readonly remedy: string;
  readonly edits?: readonly ManifestEdit[];
  /** Whose check found it, if it is not preflight's. */
  readonly origin?: CheckOrigin;
};

/** What could not be judged of an object, and why: it is never clear. */
export type ManifestUnknown = {
  readonly reason: string;
  readonly path: ManifestPath;
  readonly message: string;
};

/** What one judge says of one object; `applies` is false if another one judges such objects. */
export type ManifestVerdict =
  | { readonly applies: false }
  | {
      readonly applies: true;
      readonly findings: readonly ManifestFinding[];
      readonly unknowns: readonly ManifestUnknown[];
    };

/** Judges an object by itself. */
export type ManifestJudge = (object: JsonObject) => ManifestVerdict;

/** What is said of objects because of those that are applied together with them. */
export type ManifestSetJudge = (objects: readonly JsonObject[]) => ReadonlyMap<JsonObject, readonly ManifestFinding[]>;

/** `kubernetes`: the minor of Kubernetes 1 that the target runs. */
export type ManifestTarget = { readonly platform: Platform; readonly kubernetes: number };

/** A finding or an unknown of an object, where it stands. */
export type PlacedFinding = ManifestFinding & { readonly object: ObjectRef; readonly place: ManifestPlace };
export type PlacedUnknown = ManifestUnknown & { readonly object: ObjectRef; readonly place: ManifestPlace };

/** What a target makes of manifests. */
export type ManifestsReport = {
  /** The files and folders, as they were given. */
  readonly paths: readonly string[];
  /** "4.20.3", "v1.36", or the path of its CRDs. */
  readonly target: string;
  /** "1.33": the Kubernetes whose API server judges. */
  readonly kubernetes: string;
  /** All that were read, judged or not. */
  readonly objects: number;
  /** Those of them that live in the cluster, and were judged as updates. */
  readonly updates: number;
  /** By effect, place and field. */
  readonly findings: readonly PlacedFinding[];
  /** Only new findings count, and these are the others. */
  readonly since?: { readonly ref: string; readonly former: readonly PlacedFinding[] };
  readonly unknowns: readonly PlacedUnknown[];
  readonly unread: readonly UnreadManifest[];
  /** The risks that are accepted, of those that were found. */
  readonly accepted: readonly string[];
};

/** The worst first. */
export const MANIFEST_EFFECTS: readonly ManifestEffect[] = ["refused", "dropped", "blocks", "breaks", "later"];

/** What counts as a risk: not what is accepted, nor what only a later release refuses. */
export function countsAsRisk({ accepted }: ManifestsReport): (finding: PlacedFinding) => boolean {
  const names = new Set(accepted);
  return ({ risk, effect }) => effect !== "later" && !names.has(risk);
}

/** Files that nobody takes for manifests leave nothing unknown. */
export function leavesUnknown({ reason }: UnreadManifest): boolean {
  return reason !== "OtherContent";
}

/** "spec.template.spec.containers[0].ports", and "metadata.labels[app.kubernetes.io/name]" for a key with a dot. */
export function formatManifestPath(path: ManifestPath): string {
  const parts = path.map((step) => (typeof step === "number" || !/^[\w$-]+$/.test(step) ? `[${step}]` : `.${step}`));
  return parts.join("").replace(/^\./, "");
}

/** "deploy/a.yaml:12:5"; of rendered output, with the template that it was made from. */
export function formatManifestPlace({ file, line, column, source }: ManifestPlace): string {
  return `${file}:${line}:${column}${source === undefined ? "" : ` (from ${source})`}`;
}
