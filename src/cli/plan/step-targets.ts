import type { Platform } from "../../model/check.ts";
import { formatStepTarget, type Route, type RouteStep } from "../../model/route.ts";
import { getPlatform } from "../../model/target-version.ts";
import { readPayload } from "../../release/payload-reader.ts";
import type { StepTarget } from "../../runner/plan.ts";
import { buildTarget, buildVersionTarget, readTarget } from "../inputs/target.ts";
import type { ReleaseFolder } from "./release-folders.ts";

/** For each step a function that reads its release, so that only one release is in memory at a time. */
export function buildStepReaders(
  { source, steps }: Route,
  folders: readonly ReleaseFolder[],
): readonly (() => Promise<StepTarget>)[] {
  const platform = getPlatform(source);
  return steps.map((step) => () => readStepTarget(step, platform, folders));
}

async function readStepTarget(
  { to }: RouteStep,
  platform: Platform,
  folders: readonly ReleaseFolder[],
): Promise<StepTarget> {
  const text = formatStepTarget(to);
  if (platform === "kubernetes") return readTarget({ folders: [], version: text, image: undefined });
  if (to.kind === "minor") {
    const how = "give its folder with --release DIR, or an update graph with --graph";
    return { kind: "absent", message: `no release of ${text} is at hand: ${how}` };
  }
  const folder = folders.find(({ version }) => version.text === text);
  return folder === undefined
    ? buildVersionTarget(to.version, to.image, "--release")
    : buildTarget(await readPayload(folder.path));
}
