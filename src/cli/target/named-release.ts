import { UsageError } from "../../model/errors.ts";
import type { ValuesOf } from "../settings/command.ts";
import type { SelectionValues } from "../settings/shared-settings.ts";
import type { checkSettings } from "../commands/check/definition.ts";
import { readListedImage } from "./listed-image.ts";
import { addGraphOffer, addOffer } from "./target-offer.ts";
import { resolveTarget } from "./target-of-version.ts";
import type { ClusterSession } from "../client/connection.ts";
import type { Io } from "../io/io.ts";
import { parseChecks } from "../checks/check-selection.ts";
import type { ChecksAndTarget } from "./checks-and-target.ts";
import { type ImageValues, readImageTarget } from "./image-target.ts";
import { type ReadTarget, readTarget } from "./target.ts";

type Flag = "to" | "to-image" | "graph" | "target" | "target-version" | "release-image" | "crds";
type Values = Pick<ValuesOf<typeof checkSettings>, Flag> & ImageValues & SelectionValues;

const CONFLICTING_FLAGS = ["target", "target-version", "release-image", "crds"] as const;

/** Whether the target is a release that its version or its image names. */
export function namesRelease(values: Pick<Values, "to" | "to-image">): boolean {
  return values.to !== undefined || values["to-image"] !== undefined;
}

/** The checks, and the release that --to or --to-image names: its image may have to come from a mirror that the cluster names. */
export async function readNamedRelease(
  values: Values,
  cluster: ClusterSession,
  io: Io,
  read: ReadTarget = readTarget,
): Promise<ChecksAndTarget> {
  const [{ to }, image] = [values, values["to-image"]];
  const [flag, others] =
    to === undefined ? ["to-image", CONFLICTING_FLAGS] : ["to", ["to-image", ...CONFLICTING_FLAGS] as const];
  const conflicting = others.find((other) => values[other] !== undefined);
  if (conflicting !== undefined) throw new UsageError(`--${flag} names the target release: remove --${conflicting}`);
  const selection = parseChecks(values);
  if (to === undefined) {
    const target = await readImageTarget(image ?? "", values, cluster, io, read);
    return addGraphOffer({ ...selection, target }, values, cluster, io);
  }
  const { release, offer } = await resolveTarget(to, values, cluster, io);
  return addOffer({ ...selection, target: await readListedImage(release, values, cluster, io, read) }, offer);
}
