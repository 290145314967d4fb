import type { ApiClient } from "../cluster/writer/api-client.ts";
import type { Action } from "./action.ts";
import type { Observation } from "./observation.ts";
import { readOperator } from "./observer.ts";
import { type ControllerSettings, plan } from "./plan.ts";

/** Only the operator writes ClusterVersion's whole status while it runs, and one that doesn't know the mode would start an update. */
const OPERATOR_DEPENDENT: readonly Action["kind"][] = ["status", "mode"];

export type ConfirmedPlan = { readonly observation: Observation; readonly actions: readonly Action[] };

/** Plans, and reads the operator's lease and Deployment again before writes that are wrong if a watch lags behind them. */
export async function planConfirmed(
  observation: Observation,
  settings: ControllerSettings,
  { api, now }: { readonly api: ApiClient; readonly now: () => Date },
  signal: AbortSignal,
): Promise<ConfirmedPlan> {
  const actions = plan(observation, settings, now());
  if (!actions.some(({ kind }) => OPERATOR_DEPENDENT.includes(kind))) return { observation, actions };
  const confirmed = { ...observation, operator: await readOperator(api, now(), signal) };
  return { observation: confirmed, actions: plan(confirmed, settings, now()) };
}
