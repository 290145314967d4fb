import type { ImageVerification } from "../../../model/release.ts";
import { formatStepTarget, type Route, type RouteStep } from "../../../model/route.ts";
import { getPlatform, type Platform } from "../../../model/target-version.ts";
import type { Version } from "../../../model/version.ts";
import { readPayload } from "../../../release/payload/payload-reader.ts";
import type { StepRelease } from "../../../runner/plan-cycles.ts";
import { readListedImage } from "../../target-release/listed-image.ts";
import {
  buildTarget,
  buildVersionTarget,
  printSkipped,
  readTarget,
  type TargetWithWarnings,
  withVerification,
} from "../../target-release/target.ts";
import type { PlanSession } from "./plan-session.ts";

/** For each step a function that reads its release, so that only one release is in memory at a time. */
export function buildStepReaders(
  { source, steps }: Route,
  session: PlanSession,
): readonly (() => Promise<StepRelease>)[] {
  const platform = getPlatform(source);
  return steps.map((step) => async () => {
    const target = await readStepTarget(step, platform, session);
    if (target.kind !== "absent") printSkipped(target.warnings, session.io);
    return target.kind === "read" ? { ...target, recommendation: step.recommendation } : target;
  });
}

type AbsentRelease = Extract<StepRelease, { readonly kind: "absent" }>;

async function readStepTarget(
  { to }: RouteStep,
  platform: Platform,
  session: PlanSession,
): Promise<TargetWithWarnings | AbsentRelease> {
  const text = formatStepTarget(to);
  if (platform === "kubernetes") return readTarget({ folders: [], version: text, image: undefined });
  if (to.kind === "minor") {
    const how = "give its folder with --release DIR, or an update graph with --graph";
    return { kind: "absent", message: `no release of ${text} is at hand: ${how}` };
  }
  const { version, image } = to;
  const { folders, graph } = session.values;
  const folder = folders.find((one) => one.version.text === text);
  if (folder !== undefined) return buildTarget(await readPayload(folder.path));
  // Folders without a graph are for a place without an update service and its registry.
  const readsImages = folders.length === 0 || graph !== undefined;
  if (image === undefined || !readsImages) return buildUnreadTarget(version, image, NO_FOLDER);
  const target = await readListedImage({ version, image }, session);
  return target.kind === "failed" ? buildUnreadTarget(version, image, target.failure.message) : target;
}

const NO_FOLDER = "no folder with its manifests was given: set one with --release DIR";

/** The checks that need no manifests still run, and the other steps too. */
function buildUnreadTarget(version: Version, image: string | undefined, why: string): TargetWithWarnings {
  const target = buildVersionTarget(version, image, why);
  return image === undefined ? target : withVerification(target, UNREAD);
}

const UNREAD: ImageVerification = {
  status: "Unknown",
  message: "could not be verified: the release image was not read",
};
