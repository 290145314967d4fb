import type { Action } from "./action.ts";
import type { ApiClient } from "../cluster/writer/api-client.ts";
import type { Logger } from "../model/logger.ts";

export type ApplyResult = {
  /** `retry`: a write conflicted, or the API server was unreachable. */
  readonly kind: "applied" | "retry" | "refused";
  /** The API server's message if it refused the runner's Deployment. */
  readonly refusal?: string;
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
  let result: ApplyResult = { kind: "applied" };
  for (const { kind, description, write } of actions) {
    if (signal.aborted) return { kind: "retry" };
    const response = await api.write(write, signal);
    if (response.kind === "ok") log.info(description);
    else if (response.kind === "conflict") return { kind: "retry" };
    else if (response.kind === "unreachable") {
      if (!signal.aborted) log.warn(`could not ${description}`, { why: response.message });
      return { kind: "retry" };
    } else if (response.kind === "absent" && write.method === "DELETE") log.info(`${description}: already deleted`);
    else {
      log.error(`could not ${description}`, { why: response.message });
      const refusal = kind === "runner" ? { refusal: response.message } : {};
      result = { ...result, ...refusal, kind: "refused" };
    }
  }
  return result;
}
