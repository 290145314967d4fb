import type { Report } from "./report.ts";
import type { Route, RouteStep } from "./route.ts";
import { isComplete } from "./unseen.ts";

/** A check whose verdict on a later update shows only once the update before it is done. */
export type PendingCheck = { readonly id: string; readonly reason: string };

/**
 * What is known of one update now. `repeated`: its risks whose findings an earlier step has too, with the number of that step; they
 * are worth one repair, before that step.
 */
export type StepResult =
  | {
      readonly kind: "checked";
      readonly report: Report;
      readonly pending: readonly PendingCheck[];
      readonly repeated: ReadonlyMap<string, number>;
    }
  | { readonly kind: "notChecked"; readonly message: string };

export type PlannedStep = {
  /** The version, or the minor, from which the update leads. */
  readonly from: string;
  readonly step: RouteStep;
  /** The channel that the cluster needs for the update, if it is not subscribed to it. */
  readonly channel?: string;
  readonly result: StepResult;
};

/** Between two even minors of OpenShift 4 the pools may stay paused, so that their nodes restart once. */
export type ControlPlaneOnly = { readonly pools: readonly string[] };

/** A route, and what is known of each of its updates. */
export type Plan = {
  readonly route: Route;
  readonly observedAt: Date;
  readonly steps: readonly PlannedStep[];
  /** Set if the cluster's control plane runs in another cluster. */
  readonly isHosted?: true;
  readonly controlPlaneOnly?: ControlPlaneOnly;
};

/** By step; undefined for one that was not checked. */
export function listReports({ steps }: Plan): readonly (Report | undefined)[] {
  return steps.map(({ result }) => (result.kind === "checked" ? result.report : undefined));
}

/** Whether every step was checked with its own release, and everything was seen as far as that is possible now. */
export function isPlanComplete({ steps }: Plan): boolean {
  return steps.every(({ result }) => result.kind === "checked" && isComplete(result.report));
}
