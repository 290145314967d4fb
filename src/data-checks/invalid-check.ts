import { type Check, buildCheckName } from "../model/check.ts";
import type { CheckFault } from "./fault.ts";

/** A check that can't be loaded under its id, and why. */
export type Invalid = { readonly id: string; readonly faults: readonly CheckFault[] };

/** A check that is unknown for every cluster: what can't be loaded is never clear. */
export function buildInvalidCheck({ id, faults }: Invalid): Check {
  return {
    id,
    name: buildCheckName(id),
    title: `The check ${id} can be loaded`,
    risks: [],
    applies: { kind: "updates", kinds: ["patch", "minor", "rollback"] },
    platforms: ["openshift", "kubernetes"],
    reads: () => ({}),
    evaluate: () => ({
      unknowns: faults.map(({ file, line, column, place, message }) => ({
        reason: "CheckInvalid",
        where: `${file}:${line}:${column}`,
        message: `${place === "" ? "" : `${place}: `}${message}`,
      })),
    }),
  };
}
