import { UsageError } from "../../model/errors.ts";
import { type TargetVersion, type Version, parseTargetVersion, getPlatform } from "../../model/version.ts";
import type { ClusterFacts, ImageVerification, ReleaseProblem, Release, ReleaseSelector } from "../../model/release.ts";
import type { Payload, PayloadFile, PayloadResult } from "../../release/payload/payload.ts";
import { readPayload } from "../../release/payload/payload-reader.ts";
import { selectRelease } from "../../release/payload/release-selection.ts";
import type { CycleTarget } from "../../runner/updates/update.ts";
import type { Io } from "../io/io.ts";
import { toLine } from "../../model/visible-text.ts";
import type { ValuesOf } from "../settings/command.ts";
import type { releaseImageSettings, targetSettings } from "../settings/shared-settings.ts";
import { hash } from "node:crypto";
import { statSync } from "node:fs";
import { resolve } from "node:path";
import process from "node:process";
import { findCacheBase } from "../../files/private-folder.ts";
import type { ParsedFilesPlace } from "../../release/payload/parsed-files.ts";
import { VERSION } from "../../model/program-version.ts";

export type TargetOptions = {
  /** Folders that together hold the payload; none if only the version is known. */
  readonly folders: readonly string[];
  /** What the files of a folder were when they were verified, if they were. */
  readonly files?: readonly PayloadFile[];
  /** As given, valid or not. */
  readonly version: string | undefined;
  readonly image: string | undefined;
};

export type TargetValues = ValuesOf<typeof targetSettings> & Partial<ValuesOf<typeof releaseImageSettings>>;

/** The target options as given. `defaultFolders` stand in for --target. */
export function parseTargetOptions(values: TargetValues, defaultFolders: readonly string[] = []): TargetOptions {
  const { target: folder, "target-version": version, "release-image": image } = values;
  return { folders: folder === undefined ? defaultFolders : [folder], version, image };
}

/** For a person an invalid version is wrong usage; the runner reports it in its document. */
export function requireValidVersion(options: TargetOptions): TargetOptions {
  const { version } = options;
  if (version === undefined || parseTargetVersion(version) !== undefined) return options;
  throw new UsageError(`--target-version "${version}" is not a version: ${VERSION_FORMS}`);
}

const VERSION_FORMS = "use a form such as 4.20.3, or v1.36 for Kubernetes without OpenShift";

/** A target, and warnings about files of its folder that were skipped. */
export type TargetWithWarnings = CycleTarget & { readonly warnings?: readonly string[] };

/** A target that is a release image, with what is known of its signature. */
export function withVerification(target: TargetWithWarnings, imageVerification: ImageVerification): TargetWithWarnings {
  if (target.kind === "failed") return target;
  return { ...target, select: (facts) => ({ ...target.select(facts), imageVerification }) };
}

export type ReadTarget = (options: TargetOptions) => Promise<TargetWithWarnings>;

/** Reads the target release once. A fault becomes the cycle's failure, so that a document can report it. */
export async function readTarget({ folders, files, version, image }: TargetOptions): Promise<TargetWithWarnings> {
  const given = version === undefined ? undefined : parseTargetVersion(version);
  if (version !== undefined && given === undefined) {
    const message = `The target version "${version}" is not valid: ${VERSION_FORMS}.`;
    return { kind: "failed", failure: { reason: "InvalidVersion", message } };
  }
  if (folders.length === 0) {
    if (given === undefined) throw new UsageError(NO_TARGET);
    return withClusterPatch(buildVersionTarget(given.version, image), given);
  }
  const parsedFiles = findParsedFilesPlace(folders, new Date());
  const options = { targetVersion: given?.version.text, image, files, parsedFiles };
  return withClusterPatch(buildTarget(await readPayload(folders, options), given?.version), given);
}

/** If the target names only a minor and the cluster runs a patch of that minor, the target is that patch and not a rollback. */
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

export function buildTarget(result: PayloadResult, given?: Version): TargetWithWarnings {
  if (result.kind === "failed") return { kind: "failed", failure: result.failure, version: given };
  const { payload } = result;
  const select = (facts: ClusterFacts): Release => selectRelease(payload, facts);
  return { kind: "read", version: payload.version, select, warnings: formatWarnings(payload) };
}

export function printSkipped(warnings: readonly string[] | undefined, io: Io): void {
  for (const why of warnings ?? []) io.err(`preflight: skipped: ${toLine(why)}\n`);
}

export function formatWarnings({ warnings }: Payload): readonly string[] {
  return warnings.map(({ where, message }) => (message.startsWith(where) ? message : `${where}: ${message}`));
}

export function failUnreadable(message: string): Extract<TargetWithWarnings, { readonly kind: "failed" }> {
  return { kind: "failed", failure: { reason: "PayloadUnreadable", message } };
}

/** A release of OpenShift has manifests, so checks that need them can't complete without a folder. Kubernetes has none. */
function buildFolderProblems(version: Version, message: string): readonly ReleaseProblem[] {
  if (getPlatform(version) === "kubernetes") return [];
  return [{ reason: "NoTargetFolder", where: "the target's manifests", message }];
}

/** Wrong usage of a command that finds a release by its version. */
export const NO_TARGET =
  "no target release was given: name it with --to VERSION, --target DIR or --target-version VERSION";

const NO_FOLDER = "no folder with the target's manifests was given: set one with --target DIR";

/** Checks that need no manifests also run without a folder. `why`: why there is none. */
export function buildVersionTarget(
  version: Version,
  image: string | undefined,
  why: string = NO_FOLDER,
): TargetWithWarnings {
  return { kind: "read", version, select: (facts) => buildVersionRelease(version, image, why, facts) };
}

/** A release that has only its version. */
export function buildVersionRelease(
  version: Version,
  image: string | undefined,
  why: string,
  { capabilities }: Pick<ClusterFacts, "capabilities">,
): Release {
  return {
    version,
    image,
    digest: "",
    manifests: [],
    deleted: [],
    crds: [],
    crdFiles: new Map(),
    capabilities: { known: capabilities.known, enabled: capabilities.enabled, implicit: [] },
    featureGates: [],
    problems: buildFolderProblems(version, why),
  };
}

/** One place for each target and each build of the program; undefined where this user has no folder for caches. */
function findParsedFilesPlace(folders: readonly string[], now: Date): ParsedFilesPlace | undefined {
  const base = findCacheBase(process.env);
  const program = statSync(process.argv[1] ?? "", { throwIfNoEntry: false });
  if (base === undefined || program === undefined || VERSION.endsWith("-source")) return undefined;
  const key = [VERSION, program.size, program.mtimeMs, ...folders.map((folder) => resolve(folder))];
  return { base, name: hash("sha256", JSON.stringify(key)), now };
}
