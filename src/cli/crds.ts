import type { Check } from "../model/check.ts";
import { UsageError } from "../model/errors.ts";
import type { ClusterFacts, Problem, Release } from "../model/release.ts";
import type { Payload } from "../release/payload.ts";
import { readPayload } from "../release/read-payload.ts";
import { selectRelease } from "../release/select-release.ts";
import type { Arguments } from "./arguments.ts";
import { checksOf, targetOptions } from "./session.ts";
import { type OpenTarget, openTarget, warningsOf } from "./target.ts";

/** The one check that a folder of CRDs says something to. */
const CHECK = "crd-skew";

/** What `check` and `record` judge: a target release, or with --crds a folder of CRDs, and the checks that this is for. */
export type Question = { readonly checks: readonly Check[]; readonly target: OpenTarget };

export async function questionOf(args: Arguments): Promise<Question> {
  const [folder, checks] = [args.text("crds"), checksOf(args)];
  if (folder === undefined) return { checks, target: await openTarget(targetOptions(args)) };
  const other = ["target", "target-version", "release-image"].find((flag) => args.text(flag) !== undefined);
  if (other !== undefined)
    throw new UsageError(`--crds judges a folder of CRDs instead of a target release: leave out --${other}`);
  const left = checks.filter(({ id }) => id === CHECK);
  if (left.length === 0) throw new UsageError(`--crds is for the check ${CHECK}, which --only and --skip leave out`);
  return { checks: left, target: await openCrds(folder) };
}

/** Every reader of a payload wants a version. The cluster's own takes its place as soon as it is known. */
const NO_VERSION = "0.0.0";

async function openCrds(folder: string): Promise<OpenTarget> {
  const read = await readPayload(folder, { targetVersion: NO_VERSION });
  if (read.kind === "failed") return read.failure.reason === "InvalidVersion" ? isRelease(folder) : read;
  const payload = withoutOthers(read.payload);
  if (payload.manifests.every(({ crd, unusable }) => crd === undefined && unusable === undefined))
    return unreadable(`${folder} holds no CustomResourceDefinition: give a folder with CRDs to --crds`);
  const select = (facts: ClusterFacts): Release => ({ ...selectCrds(payload, facts), crdFolder: folder });
  return { kind: "read", select, warnings: warningsOf(payload) };
}

function isRelease(folder: string): OpenTarget {
  return unreadable(`${folder} is a release's folder: give it with --target, or a folder of CRDs alone to --crds`);
}

/** Such a folder also holds what is no object of the API (kustomization.yaml): worth a line, where it is no CRD. */
function withoutOthers(payload: Payload): Payload {
  const isOther = ({ reason, message }: Problem): boolean =>
    reason === "InvalidManifest" && !message.includes("CustomResourceDefinition");
  return {
    ...payload,
    problems: payload.problems.filter((problem) => !isOther(problem)),
    warnings: [...payload.warnings, ...payload.problems.filter(isOther)],
  };
}

function unreadable(message: string): OpenTarget {
  return { kind: "failed", failure: { reason: "PayloadUnreadable", message } };
}

/** Of the cluster's own release; a folder that is none says of no Kubernetes version. */
function selectCrds(payload: Payload, facts: ClusterFacts): Release {
  return selectRelease({ ...payload, version: facts.version }, facts);
}
