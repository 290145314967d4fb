import { UsageError } from "../../../model/errors.ts";
import { parseImageReference } from "../../../release/image/reference.ts";
import type { FleetValues } from "./definition.ts";
import { requireTargetRequest } from "../../target-release/target-of-version.ts";
import { parseChecks } from "../../checks/check-selection.ts";

const FLAGS = ["to", "to-image", "target", "target-version", "crds"] as const;

/** What the fleet is checked against, in the words of the flags. Finds wrong usage before the first cluster is read. */
export function requireFleetTarget(values: FleetValues): string {
  parseChecks(values);
  if (values.to !== undefined) requireTargetRequest(values.to);
  if (values["to-image"] !== undefined) parseImageReference(values["to-image"]);
  const named = FLAGS.map((flag) => values[flag]).find((value) => value !== undefined);
  if (named !== undefined) return values["target-version"] ?? named;
  throw new UsageError(
    "no target release was given: name it with --to VERSION, --target DIR or --target-version VERSION, or show results with --from DIR",
  );
}
