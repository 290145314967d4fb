import type { Action } from "./action.ts";
import type { Api } from "./api.ts";
import type { Say } from "./say.ts";

/** What came of the writes. */
export type Performed = {
  /** `again`: somebody wrote in between, or the API server could not be asked: look anew. */
  readonly kind: "done" | "again" | "refused";
  /** What the API server said when it refused the runner's Deployment. */
  readonly refusal?: string;
};

/**
 * Writes in order. A write that is refused doesn't keep the others from being made, since they may say so; one that found something
 * other than what was seen ends it, since the rest was decided on what is no longer so.
 */
export async function perform(actions: readonly Action[], api: Api, say: Say, signal: AbortSignal): Promise<Performed> {
  let performed: Performed = { kind: "done" };
  for (const { kind, what, change } of actions) {
    if (signal.aborted) return { kind: "again" };
    const answer = await api.write(change, signal);
    if (answer.kind === "ok") say.info(what);
    else if (answer.kind === "conflict") return { kind: "again" };
    else if (answer.kind === "unreachable") {
      if (!signal.aborted) say.warn(`could not ${what}`, { why: answer.message });
      return { kind: "again" };
    } else if (answer.kind === "absent" && change.method === "DELETE") say.info(`${what}: it is gone already`);
    else {
      say.error(`could not ${what}`, { why: answer.message });
      const refusal = kind === "runner" ? { refusal: answer.message } : {};
      performed = { ...performed, ...refusal, kind: "refused" };
    }
  }
  return performed;
}
