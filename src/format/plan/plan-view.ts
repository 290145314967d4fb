import type { Plan } from "../../model/plan.ts";
import type { View } from "../view/view.ts";

/** The input of a plan's formats. */
export type PlanView = Pick<View, "cluster" | "colour" | "links" | "width"> & {
  readonly plan: Plan;
  /** The names of accepted risks, by step. */
  readonly accepted: readonly ReadonlySet<string>[];
};
