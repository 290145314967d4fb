import { UsageError } from "../../model/errors.ts";
import { type TargetVersion, parseTargetVersion, getPlatform } from "../../model/target-version.ts";
import type { ClusterFacts, ReleaseProblem, Release, ReleaseSelector } from "../../model/release.ts";
import type { Version } from "../../model/version.ts";
import type { Payload, PayloadResult } from "../../release/payload.ts";
import { readPayload } from "../../release/payload-reader.ts";
import { selectRelease } from "../../release/release-selection.ts";
import type { CycleTarget } from "../../runner/cycle.ts";
import { defined } from "../../model/optional.ts";

export type TargetOptions = {
  /** Folders that together hold the payload; none where only the version is known. */
  readonly folders: readonly string[];
  readonly version: string | undefined;
  readonly image: string | undefined;
};

/** A target, and what of its folder was left out without harm. */
export type TargetWithWarnings = CycleTarget & { readonly warnings?: readonly string[] };

/** Reads the target release once. What is wrong with it becomes the cycle's failure, so that a document can say so. */
export async function readTarget({ folders, version, image }: TargetOptions): Promise<TargetWithWarnings> {
  const given = version === undefined ? undefined : parseTargetVersion(version);
  if (version !== undefined && given === undefined) return failInvalidVersion(version);
  if (folders.length === 0) return withClusterPatch(buildVersionTarget(given?.version, image), given);
  const options = {
    ...(given === undefined ? {} : { targetVersion: given.version.text }),
    ...defined({ image }),
  };
  return withClusterPatch(buildTarget(await readPayload(folders, options), given?.version), given);
}

/** A target by its minor alone is no step back for a cluster that runs a patch of that minor: it is that patch. */
function withClusterPatch(target: TargetWithWarnings, given: TargetVersion | undefined): TargetWithWarnings {
  if (target.kind === "failed" || !given?.isMinorOnly) return target;
  const { major, minor } = given.version;
  const select: ReleaseSelector = (facts) => {
    const release = target.select(facts);
    const isSameMinor = facts.version.major === major && facts.version.minor === minor;
    return isSameMinor ? { ...release, version: facts.version } : release;
  };
  return { ...target, select };
}

function buildTarget(result: PayloadResult, given: Version | undefined): TargetWithWarnings {
  if (result.kind === "failed")
    return { kind: "failed", failure: result.failure, ...(given ? { version: given } : {}) };
  const { payload } = result;
  const select = (facts: ClusterFacts): Release => selectRelease(payload, facts);
  return { kind: "read", version: payload.version, select, warnings: formatWarnings(payload) };
}

export function formatWarnings({ warnings }: Payload): readonly string[] {
  return warnings.map(({ where, message }) => (message.startsWith(where) ? message : `${where}: ${message}`));
}

function failInvalidVersion(text: string): TargetWithWarnings {
  const message = `The target version "${text}" is no version such as 4.20.3, or v1.36 for Kubernetes without OpenShift: give --target-version as the release says it.`;
  return { kind: "failed", failure: { reason: "InvalidVersion", message } };
}

/** A release of OpenShift has manifests, so that checks which need them could not look. One of Kubernetes brings none. */
function buildFolderProblems(version: Version): readonly ReleaseProblem[] {
  if (getPlatform(version) === "kubernetes") return [];
  const message = "no folder with the target's manifests was given: give one with --target DIR";
  return [{ reason: "NoTargetFolder", where: "the target's manifests", message }];
}

/** Without a folder the checks that need no manifests still decide. */
function buildVersionTarget(version: Version | undefined, image: string | undefined): TargetWithWarnings {
  if (version === undefined)
    throw new UsageError(
      "give the target release's folder with --target DIR, or at least its version with --target-version",
    );
  const select = (facts: ClusterFacts): Release => ({
    version,
    ...defined({ image }),
    digest: "",
    manifests: [],
    deleted: [],
    crds: [],
    crdFiles: new Map(),
    capabilities: { known: facts.capabilities.known, enabled: facts.capabilities.enabled, implicit: [] },
    featureGates: [],
    problems: buildFolderProblems(version),
  });
  return { kind: "read", version, select };
}
