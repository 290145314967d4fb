import { FailedError, UsageError } from "../../../model/errors.ts";
import type { ClusterFacts, Release } from "../../../model/release.ts";
import { type Version, getPlatform, parseMinor } from "../../../model/version.ts";
import { isKubernetesRequest } from "../../../release/graph/target-request.ts";
import { buildPlainFacts } from "../../../runner/facts/cluster-facts.ts";
import { NEWEST_MINOR } from "../../../schema/openapi/index.ts";
import type { Io } from "../../io/io.ts";
import { readCrds } from "../../target-release/crds.ts";
import type { ClusterSession } from "../../client/connection.ts";
import { readImageFolder, readImageTarget, readListedImage } from "../../target-release/image-target.ts";
import { readKubernetesVersion, requireTargetRequest, resolveTarget } from "../../target-release/target-of-version.ts";
import {
  NO_TARGET,
  type TargetWithWarnings,
  parseTargetOptions,
  printSkipped,
  readTarget,
  requireValidVersion,
} from "../../target-release/target.ts";
import { readClusterFacts } from "../../session/cluster-beside.ts";
import { type JudgingTarget, findKubernetesMinor } from "../../session/manifest-judging.ts";
import type { ManifestsValues } from "./definition.ts";

type Session = ClusterSession<ManifestsValues>;

/**
 * The target that the values name. Beside a cluster, its facts decide on what of a release applies, and without a target it is judged as it
 * is. Throws a UsageError if there is no target, or several.
 */
export async function readJudgingTarget(values: ManifestsValues, io: Io, session?: Session): Promise<JudgingTarget> {
  const facts = session && (await readClusterFacts(session));
  const release = await readRelease(values, io, session, facts);
  const given = values.crds === undefined ? undefined : await readGivenCrds(values.crds, values, io);
  if (release === undefined && given === undefined && facts === undefined)
    throw new UsageError(`${NO_TARGET}; or its CRDs with --crds, or a cluster with --context`);
  const names = [
    ...(release === undefined ? [] : [nameVersion(release.version)]),
    ...(release === undefined && facts !== undefined ? [`the cluster's ${nameVersion(facts.version)}`] : []),
    ...(values.crds === undefined ? [] : [values.crds === "-" ? "the CRDs on stdin" : values.crds]),
  ];
  const version = release?.version ?? facts?.version;
  const platform = version === undefined ? "kubernetes" : getPlatform(version);
  // What the cluster runs now, its API server says itself. Of a recorded OpenShift, its release says it.
  const isAsked = release === undefined && (values.recorded === undefined || platform === "kubernetes");
  const now = isAsked && session ? await readKubernetesVersion(session.reader, io.stopSignal) : undefined;
  return {
    name: names.join(" with "),
    version,
    platform,
    kubernetes:
      now?.minor ?? (version === undefined ? NEWEST_MINOR : findKubernetesMinor(version, release?.kubernetes)),
    given: given?.crds ?? [],
    own: release?.crds ?? [],
  };
}

function nameVersion(version: Version): string {
  return getPlatform(version) === "kubernetes" ? `Kubernetes ${version.text}` : version.text;
}

async function readRelease(
  values: ManifestsValues,
  io: Io,
  session: Session | undefined,
  facts: ClusterFacts | undefined,
): Promise<Release | undefined> {
  requireOneRelease(values);
  const target = await (session === undefined ? readOfflineTarget(values, io) : readSessionTarget(values, session));
  if (target === undefined) return undefined;
  if (target.kind === "failed") throw new FailedError(target.failure.message);
  printSkipped(target.warnings, io);
  const featureSet = values["feature-set"];
  const base = facts ?? buildPlainFacts(target.version ?? NO_VERSION);
  return target.select(featureSet === undefined ? base : { ...base, featureSet: toFactsName(featureSet) });
}

/** Facts have "" for the Default feature set. */
function toFactsName(featureSet: string): string {
  return featureSet === "Default" ? "" : featureSet;
}

/** CRDs name none. */
const NO_VERSION: Version = { text: "0.0.0", major: 0, minor: 0, patch: 0, pre: [] };

function requireOneRelease({ to, target, "target-version": version, "to-image": image }: ManifestsValues): void {
  const flags = [to && "to", image && "to-image", target && "target", version && !target && "target-version"];
  const given = flags.filter((flag) => flag !== undefined && flag !== false && flag !== "");
  if (given.length > 1)
    throw new UsageError(`--${given.join(" and --")} each name the target release: give one of them`);
}

async function readOfflineTarget(values: ManifestsValues, io: Io): Promise<TargetWithWarnings | undefined> {
  const { to, "to-image": image } = values;
  if (to !== undefined)
    return readTarget(requireValidVersion({ folders: [], version: completeVersion(to), image: undefined }));
  if (image !== undefined)
    return readTarget({ folders: [await readImageFolder(image, values, io)], version: undefined, image: undefined });
  return readNamedTarget(values);
}

async function readSessionTarget(values: ManifestsValues, session: Session): Promise<TargetWithWarnings | undefined> {
  const { to, "to-image": image } = values;
  if (image !== undefined) return readImageTarget(image, session);
  if (to === undefined) return readNamedTarget(values);
  const request = requireTargetRequest(to);
  if (isKubernetesRequest(request)) return readTarget({ folders: [], version: to, image: undefined });
  const { release } = await resolveTarget(request, session);
  return readListedImage(release, session);
}

async function readNamedTarget(values: ManifestsValues): Promise<TargetWithWarnings | undefined> {
  const isNamed = (values.target ?? values["target-version"]) !== undefined;
  return isNamed ? readTarget(requireValidVersion(parseTargetOptions(values))) : undefined;
}

/** Of a minor of OpenShift, its first release; Kubernetes' versions may be minors alone. */
function completeVersion(text: string): string {
  if (text === "latest") throw new UsageError("--to latest needs a cluster: name a version, such as 4.20.8 or v1.36");
  const minor = parseMinor(text);
  return minor === undefined || minor.major === 1 ? text : `${text}.0`;
}

async function readGivenCrds(path: string, values: ManifestsValues, io: Io): Promise<Release> {
  const read = await readCrds(path);
  if (read.kind === "failed") throw new FailedError(read.failure.message);
  printSkipped(read.warnings, io);
  return read.select(buildPlainFacts(NO_VERSION, toFactsName(values["feature-set"] ?? "")));
}
