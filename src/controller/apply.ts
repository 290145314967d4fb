import type { Action } from "./action.ts";
import type { ApiClient } from "../cluster/writer/api-client.ts";
import type { Logger } from "../model/logger.ts";

export type ApplyResult = {
  /** `retry`: a write conflicted, or the API server was unreachable. */
  readonly kind: "applied" | "retry" | "refused";
  /** The API server's message if it refused the runner's Deployment. */
  readonly refusal?: string;
  /** What could not be written. A conflict is none: the next reconciliation sees what changed. */
  readonly failed: readonly Action["kind"][];
};

/**
 * Writes in order. After a refused write the others still follow, since they may report the refusal. A conflict stops the rest, which was
 * planned from stale state.
 */
export async function applyActions(
  actions: readonly Action[],
  api: ApiClient,
  log: Logger,
  signal: AbortSignal,
): Promise<ApplyResult> {
  let result: ApplyResult = { kind: "applied", failed: [] };
  for (const { kind, description, write } of actions) {
    if (signal.aborted) return { kind: "retry", failed: result.failed };
    const response = await api.write(write, signal);
    if (response.kind === "ok") log.info(description);
    else if (response.kind === "conflict") return { kind: "retry", failed: result.failed };
    else if (response.kind === "unreachable") {
      if (signal.aborted) return { kind: "retry", failed: result.failed };
      log.warn(`could not ${description}`, { why: response.message });
      return { kind: "retry", failed: [...result.failed, kind] };
    } else if (response.kind === "absent" && write.method === "DELETE") log.info(`${description}: already deleted`);
    else {
      log.error(`could not ${description}`, { why: response.message });
      const refusal = kind === "runner" ? { refusal: response.message } : {};
      result = { ...result, ...refusal, kind: "refused", failed: [...result.failed, kind] };
    }
  }
  return result;
}
