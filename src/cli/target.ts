import { UsageError } from "../model/errors.ts";
import type { ClusterFacts, Release } from "../model/release.ts";
import { parseVersion, type Version } from "../model/version.ts";
import type { Payload, PayloadResult } from "../release/payload.ts";
import { readPayload } from "../release/read-payload.ts";
import { selectRelease } from "../release/select-release.ts";
import type { Target } from "../runner/cycle.ts";

export type TargetOptions = {
  /** Folders that together hold the payload; none where only the version is known. */
  readonly folders: readonly string[];
  readonly version: string | undefined;
  readonly image: string | undefined;
};

/** A target, and what of its folder was left out without harm. */
export type OpenTarget = Target & { readonly warnings?: readonly string[] };

/** Reads the target release once. What is wrong with it becomes the cycle's failure, so that a document can say so. */
export async function openTarget({ folders, version, image }: TargetOptions): Promise<OpenTarget> {
  const given = version === undefined ? undefined : parseVersion(version);
  if (version !== undefined && given === undefined) return invalidVersion(version);
  if (folders.length === 0) return versionOnly(given, image);
  const options = {
    ...(version === undefined ? {} : { targetVersion: version }),
    ...(image === undefined ? {} : { image }),
  };
  return asTarget(await readPayload(folders, options), given);
}

function asTarget(result: PayloadResult, given: Version | undefined): OpenTarget {
  if (result.kind === "failed")
    return { kind: "failed", failure: result.failure, ...(given ? { version: given } : {}) };
  const { payload } = result;
  const select = (facts: ClusterFacts): Release => selectRelease(payload, facts);
  return { kind: "read", version: payload.version, select, warnings: warningsOf(payload) };
}

export function warningsOf({ warnings }: Payload): readonly string[] {
  return warnings.map(({ where, message }) => (message.startsWith(where) ? message : `${where}: ${message}`));
}

function invalidVersion(text: string): Target {
  const message = `The target version "${text}" is no version such as 4.20.3: give --target-version as the release says it.`;
  return { kind: "failed", failure: { reason: "InvalidVersion", message } };
}

/** Without a folder the checks that need no manifests still decide; the others say that they could not look. */
function versionOnly(version: Version | undefined, image: string | undefined): Target {
  if (version === undefined)
    throw new UsageError(
      "give the target release's folder with --target DIR, or at least its version with --target-version",
    );
  const message = "no folder with the target's manifests was given: give one with --target DIR";
  const select = (facts: ClusterFacts): Release => ({
    version,
    ...(image === undefined ? {} : { image }),
    digest: "",
    manifests: [],
    deleted: [],
    crds: [],
    crdFiles: new Map(),
    capabilities: { known: facts.capabilities.known, enabled: facts.capabilities.enabled, implicit: [] },
    featureGates: [],
    problems: [{ reason: "NoTargetFolder", where: "the target's manifests", message }],
  });
  return { kind: "read", version, select };
}
