import { parseArgs } from "node:util";
import { ROUND_KINDS, type RoundKind } from "./rounds-source.ts";

import type { Opponent } from "./opponent.ts";

export type DifferentialOptions = {
  readonly seed: number;
  readonly kinds: readonly RoundKind[];
  readonly against: readonly Opponent[];
  /** Of the packages; the server is of the newest. */
  readonly minor: number;
  /** Ends when so many verdicts were compared with each opponent, or after so many seconds. */
  readonly verdicts: number;
  readonly seconds: number;
  /** The folder for cases. */
  readonly cases: string;
  /** A case to ask again. */
  readonly again: string | undefined;
  /** Whether to compare definitions, updates of them and expressions too, and with how many. */
  readonly others: "none" | "some" | "all";
  readonly writes: boolean;
  /** Ends at the first difference, without a case. */
  readonly stops: boolean;
  /** Plants faults in copies of the engine, and says which of them the short form finds. */
  readonly plants: boolean;
};

const NEWEST = 36;
const SHORT_SECONDS = 75;

/** Throws a TypeError for a flag that does not exist. */
export function parseOptions(args: readonly string[]): DifferentialOptions {
  const { values } = parseArgs({
    args: [...args],
    options: {
      seed: { type: "string", default: "1" },
      kinds: { type: "string", default: ROUND_KINDS.join(",") },
      against: { type: "string", default: "packages,server" },
      minor: { type: "string", default: String(NEWEST) },
      verdicts: { type: "string" },
      seconds: { type: "string" },
      cases: { type: "string", default: "differential-cases" },
      case: { type: "string" },
      tests: { type: "string" },
      write: { type: "boolean", default: false },
      stop: { type: "boolean", default: false },
      mutants: { type: "boolean", default: false },
    },
  });
  const minor = Number(values.minor);
  const isShort = values.verdicts === undefined && values.seconds === undefined;
  const against = values.against.split(",");
  return {
    seed: Number(values.seed),
    kinds: ROUND_KINDS.filter((kind) => values.kinds.split(",").includes(kind)),
    // There is no server of an older minor.
    against: (["packages", "server"] as const).filter(
      (one) => against.includes(one) && (one === "packages" || minor === NEWEST),
    ),
    minor,
    verdicts: Number(values.verdicts ?? Infinity),
    seconds: Number(values.seconds ?? (isShort ? SHORT_SECONDS : Infinity)),
    cases: values.cases,
    again: values.case,
    others: parseForm(values.tests ?? (isShort && minor === NEWEST ? "some" : "none")),
    writes: values.write,
    stops: values.stop,
    plants: values.mutants,
  };
}

function parseForm(text: string): DifferentialOptions["others"] {
  return text === "some" || text === "all" ? text : "none";
}
