import type { Action } from "./action.ts";
import type { ApiClient } from "../cluster/writer/api-client.ts";
import { findDroppedConditions } from "./dropped-conditions.ts";
import type { Logger } from "../model/logger.ts";
import { toFailureText } from "./runner/failure-text.ts";

export type ApplyResult = {
  /** `conflict`: planned from an object that has changed since. `retry`: the API server was unreachable. */
  readonly kind: "applied" | "conflict" | "retry" | "refused";
  /** The API server's message if it refused the runner's Deployment. */
  readonly refusal?: string;
  /** What could not be written. A conflict is none: the next reconciliation sees what changed. */
  readonly failed: readonly Action["kind"][];
  /** Of a write of the Preflight conditions: those that the API server dropped, or "" if it stored all. */
  readonly droppedConditions?: string;
};

/**
 * Writes in order. After a refused write the others still follow, since they may report the refusal. A conflict stops the rest, which was
 * planned from stale state.
 */
export async function applyActions(
  actions: readonly Action[],
  api: Pick<ApiClient, "write">,
  log: Logger,
  signal: AbortSignal,
): Promise<ApplyResult> {
  let result: ApplyResult = { kind: "applied", failed: [] };
  for (const action of actions) {
    const { kind, description, write } = action;
    if (signal.aborted) return { kind: "retry", failed: result.failed };
    const response = await api.write(write, signal);
    if (response.kind === "ok") {
      log.info(description);
      const droppedConditions = findDroppedConditions(action, response.object) ?? result.droppedConditions;
      result = { ...result, droppedConditions };
    } else if (response.kind === "conflict") return { kind: "conflict", failed: result.failed };
    else if (response.kind === "unreachable") {
      if (signal.aborted) return { kind: "retry", failed: result.failed };
      log.warn(`could not ${description}`, { why: response.message });
      return { kind: "retry", failed: [...result.failed, kind] };
    } else if (response.kind === "absent" && write.method === "DELETE") log.info(`${description}: already deleted`);
    else {
      log.error(`could not ${description}`, { why: response.message });
      const refusal = kind === "runner" ? { refusal: toFailureText(response.message) } : {};
      result = { ...result, ...refusal, kind: "refused", failed: [...result.failed, kind] };
    }
  }
  return result;
}
