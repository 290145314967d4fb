import { getMinorOrdinal, getOpenShiftOrdinal, parseMinor } from "../../model/version.ts";
import type { Type, FunctionRows, CelValue, Expansions, Meter } from "../../schema/cel/index.ts";
import {
  INT,
  countWork,
  READS_ONCE,
  onText,
  parseNormalizedSemver,
  NO_OVERLOAD,
  buildError,
  isError,
  buildCall,
  buildIdent,
  formatMacroKey,
  compareVersions,
  getListValues,
  isKind,
  isList,
} from "../../schema/cel/index.ts";
import { findText } from "./values.ts";

/** Of Kubernetes' minors the number itself, of OpenShift's their order across its majors. */
function parseMinorNumber(text: string): CelValue {
  const minor = parseMinor(text);
  if (minor === undefined) return buildError(`${JSON.stringify(text)} is not a minor version`);
  return BigInt(minor.major === 1 ? minor.minor : getMinorOrdinal(minor));
}

function toVersion(text: string): CelValue {
  return parseNormalizedSemver(text) ?? buildError(`${JSON.stringify(text)} is not a version`);
}

/** Does the update reach or pass the minor, or on the other platform the release that contains it or is contained in it? */
function crosses([source, target, text]: readonly CelValue[]): CelValue {
  if (typeof source !== "bigint" || typeof target !== "bigint" || typeof text !== "string") return NO_OVERLOAD;
  const number = parseMinorNumber(text);
  if (typeof number !== "bigint") return number;
  const minor = parseMinor(text)?.major === 1 ? BigInt(getOpenShiftOrdinal(Number(number))) : number;
  return source < minor && minor <= target;
}

/** The ordinals of the update's minors, in OpenShift's order. No author can use or hide these names. */
export const UPDATE_VARIABLES: readonly (readonly [name: string, type: Type])[] = [
  ["@source", INT],
  ["@target", INT],
];

/** `crosses("4.19")` has the update's minors from its environment. */
export const VERSION_MACROS: Expansions = new Map([
  [
    formatMacroKey("crosses", false, 1),
    {
      isMethod: false,
      expand: (call) =>
        buildCall(call, "crosses", ...UPDATE_VARIABLES.map(([name]) => buildIdent(call, name)), ...call.operands),
    },
  ],
]);

export const VERSION_FUNCTIONS: FunctionRows = {
  minor: { types: "(string) int", ...READS_ONCE, call: onText(parseMinorNumber) },
  version: { types: "(string) kubernetes.Semver", ...READS_ONCE, call: onText(toVersion) },
  crosses: { types: "(int, int, string) bool", call: crosses },
};

/** Of an entry whose version is read. */
const ENTRY_WORK = 40;

/** Operators before 4.10 kept this many entries, and dropped the oldest ones. */
const OLD_HISTORY_LIMIT = 50;
const KEEPS_OLDEST = "4.10.0-0";

/** Did the cluster begin with a version before this one, or may it have? An empty history tells nothing. */
function beganBefore([history = null, version = null]: readonly CelValue[], meter: Meter): CelValue {
  if (!isList(history)) return NO_OVERLOAD;
  countWork(meter, ENTRY_WORK * getListValues(history).length);
  const entries = getListValues(history);
  const first = findText(entries.at(-1), "version");
  if (first === undefined) return false;
  const isLater = isAtLeast(first, version);
  if (isLater !== true) return isLater === false ? true : isLater;
  const count = entries.filter((entry) => findText(entry, "version") !== undefined).length;
  return count >= OLD_HISTORY_LIMIT && isAtLeast(first, KEEPS_OLDEST) === false;
}

/** Did an update to this version or a later one ever complete? An entry that decides makes up for others that can't be understood. */
function reached([history = null, version = null]: readonly CelValue[], meter: Meter): CelValue {
  if (!isList(history)) return NO_OVERLOAD;
  countWork(meter, ENTRY_WORK * getListValues(history).length);
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
