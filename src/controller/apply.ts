import type { Action } from "./action.ts";
import type { ApiClient } from "./api/api-client.ts";
import type { Logger } from "../model/logger.ts";

/** What came of the writes. */
export type ApplyResult = {
  /** `retry`: somebody wrote in between, or the API server could not be asked: look anew. */
  readonly kind: "applied" | "retry" | "refused";
  /** What the API server said when it refused the runner's Deployment. */
  readonly refusal?: string;
};

/**
 * Writes in order. A write that is refused doesn't keep the others from being made, since they may say so; one that found something
 * other than what was seen ends it, since the rest was decided on what is no longer so.
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
    } else if (response.kind === "absent" && write.method === "DELETE") log.info(`${description}: it is gone already`);
    else {
      log.error(`could not ${description}`, { why: response.message });
      const refusal = kind === "runner" ? { refusal: response.message } : {};
      result = { ...result, ...refusal, kind: "refused" };
    }
  }
  return result;
}
