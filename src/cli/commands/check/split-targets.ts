import { UsageError } from "../../../model/errors.ts";
import type { CheckCommandValues, CheckValues } from "./definition.ts";

const FLAGS = ["to", "to-image", "target", "target-version"] as const;

/** The values for each target. Throws a UsageError if more than one flag names several, since nobody could tell which belong together. */
export function splitTargets(values: CheckCommandValues): readonly [CheckValues, ...CheckValues[]] {
  const given = FLAGS.filter((flag) => values[flag].length > 0);
  const several = given.find((flag) => values[flag].length > 1);
  if (several === undefined) return [selectTarget(values, undefined, 0)];
  const other = given.find((flag) => flag !== several);
  if (other !== undefined) throw new UsageError(`--${several} names several targets: remove --${other}`);
  const [, ...rest] = values[several];
  return [selectTarget(values, several, 0), ...rest.map((_, i) => selectTarget(values, several, i + 1))];
}

/** `several`: the flag of which the value at `index` counts; of any other, the only one. */
function selectTarget(
  values: CheckCommandValues,
  several: (typeof FLAGS)[number] | undefined,
  index: number,
): CheckValues {
  const select = (flag: (typeof FLAGS)[number]): string | undefined => values[flag][flag === several ? index : 0];
  return {
    ...values,
    to: select("to"),
    "to-image": select("to-image"),
    target: select("target"),
    "target-version": select("target-version"),
  };
}
