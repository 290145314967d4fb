import type { Check } from "../../model/check.ts";
import type { TargetOffer } from "../../model/route.ts";
import { UsageError } from "../../model/errors.ts";
import type { LeftOutCheck } from "../../runner/left-out.ts";
import type { ValuesOf } from "../settings/command.ts";
import type {
  crdSettings,
  releaseImageSettings,
  SelectionValues,
  targetSettings,
} from "../settings/shared-settings.ts";
import { parseChecks } from "../checks/check-selection.ts";
import { readCrds } from "./crds.ts";
import { type TargetWithWarnings, parseTargetOptions, readTarget, requireValidVersion } from "./target.ts";

/** The only check that CRDs are enough for. */
const CHECK_ID = "crd-skew";

/** What `check` and `record` evaluate: the selected checks, and a target release or (with --crds) CRDs. */
export type ChecksAndTarget = {
  readonly checks: readonly Check[];
  readonly leftOut: readonly LeftOutCheck[];
  readonly target: TargetWithWarnings;
  readonly offer?: TargetOffer;
};

type TargetValues = ValuesOf<typeof targetSettings & typeof releaseImageSettings & typeof crdSettings>;

const CONFLICTING_FLAGS = ["target", "target-version", "release-image"] as const;

export async function readChecksAndTarget(values: TargetValues & SelectionValues): Promise<ChecksAndTarget> {
  const [path, selection] = [values.crds, parseChecks(values)];
  if (path === undefined)
    return { ...selection, target: await readTarget(requireValidVersion(parseTargetOptions(values))) };
  const conflicting = CONFLICTING_FLAGS.find((flag) => values[flag] !== undefined);
  if (conflicting !== undefined)
    throw new UsageError(`--crds replaces the target release with CRDs: remove --${conflicting}`);
  const selected = selection.checks.filter(({ id }) => id === CHECK_ID);
  if (selected.length === 0)
    throw new UsageError(`--crds needs the check ${CHECK_ID}, which --only or --skip excludes`);
  return { checks: selected, leftOut: [], target: await readCrds(path) };
}
