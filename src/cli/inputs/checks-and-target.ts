import type { Check } from "../../model/check.ts";
import type { TargetOffer } from "../../model/route.ts";
import { UsageError } from "../../model/errors.ts";
import type { ClusterFacts, ReleaseProblem, Release } from "../../model/release.ts";
import type { Payload } from "../../release/payload.ts";
import { readPayload } from "../../release/payload-reader.ts";
import { selectRelease } from "../../release/release-selection.ts";
import type { ValuesOf } from "../command-line/command.ts";
import type {
  crdSettings,
  releaseImageSettings,
  SelectionValues,
  targetSettings,
} from "../command-line/shared-settings.ts";
import { parseChecks } from "./check-selection.ts";
import {
  type TargetWithWarnings,
  formatWarnings,
  parseTargetOptions,
  readTarget,
  requireValidVersion,
} from "./target.ts";

/** The only check that a folder of CRDs is enough for. */
const CHECK_ID = "crd-skew";

/** What `check` and `record` evaluate: the selected checks, and a target release or (with --crds) a folder of CRDs. */
export type ChecksAndTarget = {
  readonly checks: readonly Check[];
  readonly target: TargetWithWarnings;
  readonly offer?: TargetOffer;
};

type TargetValues = ValuesOf<typeof targetSettings & typeof releaseImageSettings & typeof crdSettings>;

const CONFLICTING_FLAGS = ["target", "target-version", "release-image"] as const;

export async function readChecksAndTarget(values: TargetValues & SelectionValues): Promise<ChecksAndTarget> {
  const [folder, checks] = [values.crds, parseChecks(values)];
  if (folder === undefined)
    return { checks, target: await readTarget(requireValidVersion(parseTargetOptions(values))) };
  const conflicting = CONFLICTING_FLAGS.find((flag) => values[flag] !== undefined);
  if (conflicting !== undefined)
    throw new UsageError(`--crds replaces the target release with a folder of CRDs: remove --${conflicting}`);
  const selected = checks.filter(({ id }) => id === CHECK_ID);
  if (selected.length === 0)
    throw new UsageError(`--crds needs the check ${CHECK_ID}, which --only or --skip excludes`);
  return { checks: selected, target: await readCrdFolder(folder) };
}

/** Reading a payload needs a version. The cluster's own version replaces this one as soon as it is known. */
const PLACEHOLDER_VERSION = "0.0.0";

async function readCrdFolder(folder: string): Promise<TargetWithWarnings> {
  const read = await readPayload(folder, { targetVersion: PLACEHOLDER_VERSION });
  if (read.kind === "failed") return read.failure.reason === "InvalidVersion" ? refuseReleaseFolder(folder) : read;
  const payload = demoteOtherProblems(read.payload);
  if (payload.manifests.every(({ crd, contentError }) => crd === undefined && contentError === undefined))
    return failUnreadable(`${folder} has no CustomResourceDefinition: --crds needs a folder with CRDs`);
  const select = (facts: ClusterFacts): Release => ({ ...selectCrds(payload, facts), crdFolder: folder });
  return { kind: "read", select, warnings: formatWarnings(payload) };
}

function refuseReleaseFolder(folder: string): TargetWithWarnings {
  return failUnreadable(`${folder} is a release's folder: use --target for it, and --crds for a folder with CRDs only`);
}

/** A folder of CRDs may also hold files such as kustomization.yaml, which are worth a warning only. */
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

/** The target gets the cluster's own version, since a folder of CRDs names none. */
function selectCrds(payload: Payload, facts: ClusterFacts): Release {
  return selectRelease({ ...payload, version: facts.version }, facts);
}
