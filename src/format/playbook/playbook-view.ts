import type { JudgedAcceptance } from "../../model/acceptance.ts";
import type { Plan } from "../../model/plan.ts";

/** The input of a playbook: a plan, or one update as a plan of one step. */
export type PlaybookView = {
  readonly plan: Plan;
  /** What became of the acceptances, by step. */
  readonly judged: readonly (readonly JudgedAcceptance[])[];
  /** The command that checks the same updates again. */
  readonly recheck: string;
  /** The same without a selection of checks, so that `--only` can be added. */
  readonly recheckSome: string;
  /** The command that writes the same playbook again. */
  readonly command: string;
  /** Whether the updates follow a route, or are one target that was given. */
  readonly isRoute: boolean;
};
