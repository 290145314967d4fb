import { setTimeout as sleep } from "node:timers/promises";

/** Three minutes: it only ends what would hang, however busy the machine. */
const MAX_ATTEMPTS = 900;
const PAUSE_MS = 200;

/** Retries an assertion that may take a moment to hold (an informer, a cycle), and fails with the last error. */
export async function eventually(attempt: () => Promise<unknown>, pauseMs = PAUSE_MS): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      await attempt();
      return;
    } catch (thrown) {
      if (tries === MAX_ATTEMPTS) throw thrown;
      await sleep(pauseMs);
    }
  }
}
