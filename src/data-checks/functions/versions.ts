import { getMinorOrdinal, parseMinor } from "../../model/version.ts";
import {
  INT,
  type Type,
  READS_ONCE,
  onText,
  type FunctionRows,
  parseNormalizedSemver,
  type CelValue,
  NO_OVERLOAD,
  buildError,
  isError,
  buildCall,
  buildIdent,
  type Expansions,
  formatMacroKey,
} from "../../schema/cel/index.ts";

function parseOrdinal(text: string): CelValue {
  const minor = parseMinor(text);
  return minor ? BigInt(getMinorOrdinal(minor)) : buildError(`${JSON.stringify(text)} is not a minor version`);
}

export function toVersion(text: string): CelValue {
  return parseNormalizedSemver(text) ?? buildError(`${JSON.stringify(text)} is not a version`);
}

/** Does the update reach or pass the minor? */
function crosses([source, target, text]: readonly CelValue[]): CelValue {
  if (typeof source !== "bigint" || typeof target !== "bigint" || typeof text !== "string") return NO_OVERLOAD;
  const minor = parseOrdinal(text);
  return isError(minor) || typeof minor !== "bigint" ? minor : source < minor && minor <= target;
}

/** The ordinals of the update's minors. No author can use or hide these names. */
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
  minor: { types: "(string) int", ...READS_ONCE, call: onText(parseOrdinal) },
  version: { types: "(string) kubernetes.Semver", ...READS_ONCE, call: onText(toVersion) },
  crosses: { types: "(int, int, string) bool", call: crosses },
};
