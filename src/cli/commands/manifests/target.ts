import type { Crd } from "../../../model/crd.ts";
import { FailedError, UsageError } from "../../../model/errors.ts";
import type { Release } from "../../../model/release.ts";
import {
  type Platform,
  type Version,
  getKubernetesMinor,
  getPlatform,
  parseMinor,
  parseVersion,
} from "../../../model/version.ts";
import { buildPlainFacts } from "../../../runner/facts/cluster-facts.ts";
import { NEWEST_MINOR } from "../../../schema/openapi/index.ts";
import type { Io } from "../../io/io.ts";
import { readCrds } from "../../target-release/crds.ts";
import { readImageFolder } from "../../target-release/image-target.ts";
import {
  NO_TARGET,
  type TargetOptions,
  parseTargetOptions,
  printSkipped,
  readTarget,
  requireValidVersion,
} from "../../target-release/target.ts";
import type { ManifestsValues } from "./definition.ts";

/** What manifests are judged by. */
export type JudgingTarget = {
  /** "4.20.3", "v1.36", with the CRDs that are given beside it. */
  readonly name: string;
  readonly platform: Platform;
  /** The minor of Kubernetes 1 whose API server judges. */
  readonly kubernetes: number;
  readonly crds: readonly Crd[];
};

/** A target that needs no cluster. Throws a UsageError if there is none, or several. */
export async function readGivenTarget(values: ManifestsValues, io: Io): Promise<JudgingTarget> {
  const release = await readRelease(values, io);
  const given = values.crds === undefined ? undefined : await readGivenCrds(values.crds, values, io);
  if (release === undefined && given === undefined) throw new UsageError(`${NO_TARGET}, or its CRDs with --crds`);
  const names = [
    ...(release === undefined ? [] : [nameRelease(release)]),
    ...(values.crds === undefined ? [] : [values.crds === "-" ? "the CRDs on stdin" : values.crds]),
  ];
  return {
    name: names.join(" with "),
    platform: release === undefined ? "kubernetes" : getPlatform(release.version),
    kubernetes: release === undefined ? NEWEST_MINOR : findKubernetesMinor(release),
    crds: [...(given?.crds ?? []), ...(release?.crds ?? [])],
  };
}

function nameRelease({ version }: Release): string {
  return getPlatform(version) === "kubernetes" ? `Kubernetes ${version.text}` : version.text;
}

function findKubernetesMinor({ version, kubernetes }: Release): number {
  const minor = kubernetes === undefined ? undefined : parseVersion(kubernetes)?.minor;
  if (minor !== undefined) return minor;
  return getPlatform(version) === "kubernetes" ? version.minor : getKubernetesMinor(version);
}

async function readRelease(values: ManifestsValues, io: Io): Promise<Release | undefined> {
  const options = await findTargetOptions(values, io);
  if (options === undefined) return undefined;
  const target = await readTarget(options);
  if (target.kind === "failed") throw new FailedError(target.failure.message);
  printSkipped(target.warnings, io);
  const version = target.version ?? NO_VERSION;
  return target.select(buildPlainFacts(version, values["feature-set"] ?? ""));
}

/** CRDs name none. */
const NO_VERSION: Version = { text: "0.0.0", major: 0, minor: 0, patch: 0, pre: [] };

async function findTargetOptions(values: ManifestsValues, io: Io): Promise<TargetOptions | undefined> {
  const { to, target, "target-version": version, "to-image": image } = values;
  const flags = [to && "to", image && "to-image", (target ?? version) && "target or --target-version"].filter(Boolean);
  if (flags.length > 1)
    throw new UsageError(`--${flags.join(" and --")} both name the target release: give one of them`);
  if (to !== undefined) return requireValidVersion({ folders: [], version: completeVersion(to), image: undefined });
  if (image !== undefined)
    return { folders: [await readImageFolder(image, values, io)], version: undefined, image: undefined };
  return (target ?? version) === undefined ? undefined : requireValidVersion(parseTargetOptions(values));
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
  return read.select(buildPlainFacts(NO_VERSION, values["feature-set"] ?? ""));
}
