import type { Unknown } from "./check.ts";
import type { UnreadManifest } from "./manifest.ts";
import type { ObjectRef } from "./resource.ts";
import type { UnknownReason } from "./unknown-reason.ts";

/**
 * What a change of a CRD does. `refused`: the API server refuses the CRD. `rejected`, `frozen`, `dropped`: an object can no longer be
 * written, can't be changed in a field, or loses a field. `lost`, `stricter`: the schema has less, or allows less, than before.
 * `mayBeStricter`: whether it allows less could not be decided.
 */
export type CrdEffect = "refused" | "rejected" | "frozen" | "dropped" | "lost" | "stricter" | "mayBeStricter";

/** A line of a file, from 1. */
export type FilePlace = { readonly file: string; readonly line: number };

export type CrdChange = {
  readonly effect: CrdEffect;
  /** "widgets.example.com" */
  readonly crd: string;
  readonly version?: string;
  /** The field of an object, or of the CRD itself if the API server refuses it. */
  readonly path?: string;
  readonly object?: ObjectRef;
  /** Where the object stands in the files that were given. */
  readonly objectPlace?: FilePlace;
  readonly message: string;
  readonly place?: FilePlace;
};

/** A part of the input that was not judged, and why. */
export type NotJudged = Omit<Unknown, "reason"> & {
  readonly reason: UnknownReason | NotJudgedReason | UnreadManifest["reason"];
  readonly file?: string;
  /** Of an object. */
  readonly line?: number;
  /** A CRD for another feature set, profile or version than the judged one. */
  readonly isOtherVariant?: true;
};

/** Why a CRD or an object was not judged, besides the reasons of a check. They never change. */
export type NotJudgedReason =
  | "CrdNotJudged"
  | "CrdNotUsable"
  | "FeatureGateNotEnabled"
  | "InvalidAnnotations"
  | "NoCrd"
  | "NothingJudged"
  | "OtherFeatureSet"
  | "OtherMajorVersion"
  | "OtherProfile"
  | "VersionNotServed";

/** The comparison of two sets of CRDs, and what the change does to given objects. */
export type CrdsReport = {
  readonly from: string;
  readonly to: string;
  /** The Kubernetes version whose API server judges. */
  readonly kubernetes: string;
  /** Which variants of the CRDs are judged. */
  readonly featureSet: string;
  readonly profile: string;
  /** Whether annotations of a CRD name feature sets, profiles or the like. */
  readonly isAnnotated: boolean;
  /** Those that were judged. */
  readonly crds: number;
  readonly objects: number;
  /** Those that were not, and are among `unknowns`. `variants`: CRDs for other feature sets, profiles or versions, besides `crds`. */
  readonly notJudged: { readonly crds: number; readonly variants: number; readonly objects: number };
  /** In the order of effect, CRD, version and path. */
  readonly changes: readonly CrdChange[];
  readonly unknowns: readonly NotJudged[];
  /** The CRDs that the requested feature set or profile leaves out. */
  readonly leftOut: readonly NotJudged[];
  readonly notices: readonly string[];
};
