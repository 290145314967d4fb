import type { ManifestPlace, UnreadManifest } from "./manifest.ts";
import type { ObjectRef } from "./resource.ts";

/**
 * What a file says of a fault that its object has in the cluster. `faulty`: it has the fault too; `mended`: it hasn't, and applying it mends
 * the object; `unset`: it does not set the field, so that an apply may leave what is there; `open`: the file alone does not tell.
 */
export type FileState = "faulty" | "mended" | "unset" | "open";

/** A file that defines the object of a finding. `place`: of the field if it has the fault, else of the object. */
export type FindingFile = {
  readonly place: ManifestPlace;
  readonly state: FileState;
  /** What to write in the file instead, if that is certain. */
  readonly remedy?: string;
};

/** What is known of the files that a cluster was checked with. */
export type CheckedFiles = {
  /** As they were given. */
  readonly paths: readonly string[];
  readonly objects: number;
  /** What could not be read: findings may have files among it. */
  readonly unread: readonly UnreadManifest[];
  /** The objects with findings of which no file was found. */
  readonly withoutFile: readonly ObjectRef[];
  /** How many faults the files have that were not found in the cluster, and the command that judges the files. */
  readonly otherFaults: number;
  /** How many of their objects could not be judged: they may have further faults. */
  readonly notJudged: number;
  readonly command: string;
};
