import { COMMON, requireFlags } from "../shared/flags.ts";
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
/** What a planted fault has to show in, at the latest: twice of what the short form compares on an idle machine. */
const MUTANT_VERDICTS = 50_000;

export function readOptions(): DifferentialOptions {
  const { values } = requireFlags({
    command: "npm run differential --",
    about: "Compares verdicts on random CRDs and objects with those of an API server, or of Kubernetes' own packages.",
    flags: {
      kinds: { type: "string", default: ROUND_KINDS.join(","), help: "of rounds" },
      against: { type: "string", default: "packages,server", help: "with whom" },
      minor: { type: "string", default: String(NEWEST), help: "of Kubernetes' packages" },
      verdicts: { type: "string", help: "end when so many were compared with each" },
      cases: { type: "string", default: "differential-cases", help: "the folder for what differs" },
      tests: { type: "string", help: "compare definitions and expressions too: some or all" },
      stop: { type: "boolean", default: false, help: "end at the first difference, without a case" },
      mutants: {
        type: "boolean",
        default: false,
        help: "plant faults in copies of the engine, and say which are found",
      },
      ...COMMON,
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
    verdicts: Number(values.verdicts ?? (values.mutants ? MUTANT_VERDICTS : Infinity)),
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
