import type { Check } from "../../model/check.ts";
import { UsageError } from "../../model/errors.ts";
import type { ClusterFacts, ReleaseProblem, Release } from "../../model/release.ts";
import type { Payload } from "../../release/payload.ts";
import { readPayload } from "../../release/payload-reader.ts";
import { selectRelease } from "../../release/release-selection.ts";
import type { Arguments } from "../command-line/arguments.ts";
import { parseChecks, parseTargetOptions } from "./cycle-inputs.ts";
import { type TargetWithWarnings, readTarget, formatWarnings } from "./target.ts";

/** The one check that a folder of CRDs says something to. */
const CHECK_ID = "crd-skew";

/** What `check` and `record` judge: a target release, or with --crds a folder of CRDs, and the checks that this is for. */
export type ChecksAndTarget = { readonly checks: readonly Check[]; readonly target: TargetWithWarnings };

export async function readChecksAndTarget(args: Arguments): Promise<ChecksAndTarget> {
  const [folder, checks] = [args.text("crds"), parseChecks(args)];
  if (folder === undefined) return { checks, target: await readTarget(parseTargetOptions(args)) };
  const conflicting = ["target", "target-version", "release-image"].find((flag) => args.text(flag) !== undefined);
  if (conflicting !== undefined)
    throw new UsageError(`--crds judges a folder of CRDs instead of a target release: leave out --${conflicting}`);
  const selected = checks.filter(({ id }) => id === CHECK_ID);
  if (selected.length === 0)
    throw new UsageError(`--crds is for the check ${CHECK_ID}, which --only and --skip leave out`);
  return { checks: selected, target: await readCrdFolder(folder) };
}

/** Every reader of a payload wants a version. The cluster's own takes its place as soon as it is known. */
const PLACEHOLDER_VERSION = "0.0.0";

async function readCrdFolder(folder: string): Promise<TargetWithWarnings> {
  const read = await readPayload(folder, { targetVersion: PLACEHOLDER_VERSION });
  if (read.kind === "failed") return read.failure.reason === "InvalidVersion" ? refuseReleaseFolder(folder) : read;
  const payload = demoteOtherProblems(read.payload);
  if (payload.manifests.every(({ crd, contentError }) => crd === undefined && contentError === undefined))
    return failUnreadable(`${folder} holds no CustomResourceDefinition: give a folder with CRDs to --crds`);
  const select = (facts: ClusterFacts): Release => ({ ...selectCrds(payload, facts), crdFolder: folder });
  return { kind: "read", select, warnings: formatWarnings(payload) };
}

function refuseReleaseFolder(folder: string): TargetWithWarnings {
  return failUnreadable(`${folder} is a release's folder: give it with --target, or a folder of CRDs alone to --crds`);
}

/** Such a folder also holds what is no object of the API (kustomization.yaml): worth a line, where it is no CRD. */
function demoteOtherProblems(payload: Payload): Payload {
  const isOther = ({ reason, message }: ReleaseProblem): boolean =>
    reason === "InvalidManifest" && !message.includes("CustomResourceDefinition");
  return {
    ...payload,
    problems: payload.problems.filter((problem) => !isOther(problem)),
    warnings: [...payload.warnings, ...payload.problems.filter(isOther)],
  };
}

function failUnreadable(message: string): TargetWithWarnings {
  return { kind: "failed", failure: { reason: "PayloadUnreadable", message } };
}

/** Of the cluster's own release; a folder that is none says of no Kubernetes version. */
function selectCrds(payload: Payload, facts: ClusterFacts): Release {
  return selectRelease({ ...payload, version: facts.version }, facts);
}
