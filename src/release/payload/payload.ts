import type { Crd } from "../../model/crd.ts";
import type { ReleaseManifest, Release, ReleaseCheckText, ReleaseProblem } from "../../model/release.ts";
import type { CycleFailure } from "../../model/report.ts";
import type { ParsedFilesPlace } from "./parsed-files.ts";
import type { ObjectRef } from "../../model/resource.ts";
import type { UnknownReason } from "../../model/unknown-reason.ts";

/** The gates that a FeatureGate manifest enables in one feature set ("" is Default). */
export type FeatureSetGates = {
  readonly featureSet: string;
  readonly details: readonly { readonly version: string; readonly enabled: readonly string[] }[];
};

/** A manifest of the payload, whether or not it would apply. `file` is relative to the payload's folder. */
export type PayloadManifest = ObjectRef & {
  readonly file: string;
  /** Only those that decide on inclusion. */
  readonly annotations: ReadonlyMap<string, string>;
  readonly read?: ReleaseManifest["read"];
  readonly crd?: Crd;
  readonly gates?: FeatureSetGates;
  /** Texts that hold checks, and what in a ConfigMap that is to hold some can't be read. */
  readonly checks?: readonly ReleaseCheckText[];
  /** Why its content can't be used: a problem if the manifest applies. */
  readonly contentError?: string;
};

/** The contents of a target's folder, before anything is known about the cluster. */
export type Payload = Pick<Release, "version" | "image" | "digest" | "kubernetes" | "problems"> & {
  /** A release payload has `image-references`; in any other folder, manifests without inclusion annotations apply too. */
  readonly kind: "payload" | "folder";
  /** In the order of their files. */
  readonly manifests: readonly PayloadManifest[];
  /** Files left out that can only change what reads of manifests find: logged, but no problem of the payload. */
  readonly warnings: readonly ReleaseProblem[];
};

/** "release-manifests/image-references" and the digest of its content, "sha256:...". */
export type PayloadFile = { readonly path: string; readonly digest: string };
export type PayloadOptions = {
  readonly targetVersion?: string;
  readonly image?: string;
  /** What the folder has to hold and nothing else, where it was verified before. */
  readonly files?: readonly PayloadFile[];
  /** The folder goes away after it was read: what is read of it later is kept in memory. */
  readonly isTemporary?: true;
  /** Nobody asks for other objects, nor for the digest, which is empty: loading Node's cryptography takes longer than parsing a few files. */
  readonly onlyCrds?: true;
  /** Where the documents of the files are kept for the next run. */
  readonly parsedFiles?: ParsedFilesPlace;
};
export type PayloadFailure = { readonly kind: "failed"; readonly failure: CycleFailure };
export type PayloadResult = { readonly kind: "read"; readonly payload: Payload } | PayloadFailure;

export function buildPayloadUnreadable(message: string): PayloadFailure {
  return { kind: "failed", failure: { reason: "PayloadUnreadable", message } };
}

export function buildInvalidVersion(message: string): PayloadFailure {
  return { kind: "failed", failure: { reason: "InvalidVersion", message } };
}

const MAX_MESSAGE_LENGTH = 400;

/** Builds a problem whose message is one line of bounded length, even if the file's names are hostile. */
export function buildProblem(reason: UnknownReason, where: string, message: string): ReleaseProblem {
  const line = message.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, " ");
  return {
    reason,
    where,
    message: line.length <= MAX_MESSAGE_LENGTH ? line : `${line.slice(0, MAX_MESSAGE_LENGTH - 3)}...`,
  };
}
