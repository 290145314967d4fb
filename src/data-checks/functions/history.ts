import {
  READS_ONCE,
  type FunctionRows,
  compareVersions,
  getListValues,
  type CelValue,
  NO_OVERLOAD,
  isError,
  isKind,
  isList,
} from "../../schema/cel/index.ts";
import { findText } from "../run/object-refs.ts";
import { toVersion } from "./versions.ts";

/** Operators before 4.10 kept this many entries, and dropped the oldest ones. */
const OLD_HISTORY_LIMIT = 50;
const KEEPS_OLDEST = "4.10.0-0";

/** Did the cluster begin with a version before this one, or may it have? An empty history tells nothing. */
function beganBefore([history = null, version = null]: readonly CelValue[]): CelValue {
  if (!isList(history)) return NO_OVERLOAD;
  const entries = getListValues(history);
  const first = findText(entries.at(-1), "version");
  if (first === undefined) return false;
  const isLater = isAtLeast(first, version);
  if (isLater !== true) return isLater === false ? true : isLater;
  const count = entries.filter((entry) => findText(entry, "version") !== undefined).length;
  return count >= OLD_HISTORY_LIMIT && isAtLeast(first, KEEPS_OLDEST) === false;
}

/** Did an update to this version or a later one ever complete? An entry that decides makes up for others that can't be understood. */
function reached([history = null, version = null]: readonly CelValue[]): CelValue {
  if (!isList(history)) return NO_OVERLOAD;
  const results = getListValues(history)
    .filter((entry) => findText(entry, "state") === "Completed")
    .flatMap((entry) => findText(entry, "version") ?? [])
    .map((text) => isAtLeast(text, version));
  return results.includes(true) || (results.find((result) => isError(result)) ?? false);
}

function isAtLeast(text: string, from: CelValue): CelValue {
  if (typeof from !== "string") return NO_OVERLOAD;
  const version = toVersion(text);
  const least = toVersion(from);
  if (isError(version) || !isKind(version, "semver")) return version;
  return isKind(least, "semver") ? compareVersions(version, least) >= 0 : least;
}

/** Of the history of ClusterVersion, `cluster.history`. */
export const HISTORY_FUNCTIONS: FunctionRows = {
  beganBefore: { types: "list(dyn).(string) bool", ...READS_ONCE, call: beganBefore },
  reached: { types: "list(dyn).(string) bool", ...READS_ONCE, call: reached },
};
