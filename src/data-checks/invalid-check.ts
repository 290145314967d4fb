import { type Check, type Unknown, buildCheckName } from "../model/check.ts";
import type { CheckFault } from "./fault.ts";

/** A check that can't be loaded under its id, and why. */
export type Invalid = { readonly id: string; readonly faults: readonly CheckFault[] };

/** A check that is unknown for every cluster: what can't be loaded is never clear. */
export function buildInvalidCheck({ id, faults }: Invalid): Check {
  return buildUnknownCheck(id, `The check ${id} can be loaded`, faults.map(buildUnknown));
}

function buildUnknown({ file, line, column, place, message, unknown }: CheckFault): Unknown {
  if (unknown !== undefined) return unknown;
  const where = `${file}:${line}:${column}`;
  return { reason: "CheckInvalid", where, message: `${place === "" ? "" : `${place}: `}${message}` };
}

/** `title`: what would be true if it was clear. */
export function buildUnknownCheck(id: string, title: string, unknowns: readonly Unknown[]): Check {
  return {
    id,
    name: buildCheckName(id),
    title,
    risks: [],
    applies: { kind: "updates", kinds: ["patch", "minor", "rollback"] },
    platforms: ["openshift", "kubernetes"],
    reads: () => ({}),
    evaluate: () => ({ unknowns }),
  };
}
