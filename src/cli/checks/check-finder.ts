import { createOriginPool, createPoolShare } from "../../data-checks/run/budget.ts";
import type { Check } from "../../model/check.ts";
import type { PreparedUpdate } from "../../runner/updates/prepare-update.ts";
import { type LoadOperatorTexts, type ReadGrants, findOperatorChecks, loadOperatorTexts } from "./operator-checks.ts";
import { loadPayloadChecks, loadPayloadTexts } from "./payload-checks.ts";

/** Finds the checks that targets and clusters bring, and remembers them for what is said of their risks afterwards. */
export type CheckFinder = {
  readonly find: (update: PreparedUpdate) => Promise<readonly Check[]>;
  readonly found: () => readonly Check[];
  /** Whether those of operators are among them. */
  readonly includesOperators: boolean;
};

/** `from`: who else may bring checks, as --checks-from says. */
export type FinderOptions = { readonly from: readonly string[]; readonly grants: ReadGrants };

const NOBODY: FinderOptions = { from: [], grants: new Map() };

/** More than the releases of a plan, or of most fleets. */
const MOST_RELEASES = 16;
const MOST_OPERATORS = 64;

/** Those of the target are found in any case. */
export function createCheckFinder({ from, grants }: FinderOptions = NOBODY): CheckFinder {
  const found = new Map<string, Check>();
  // All operators share what checks of others may spend and keep.
  const pool = createOriginPool();
  const loadPayload = rememberLoaded(loadPayloadTexts, MOST_RELEASES);
  const loadOperators: LoadOperatorTexts = rememberLoaded(
    (texts, source, scope) => loadOperatorTexts(texts, source, scope, createPoolShare(pool)),
    MOST_OPERATORS,
  );
  const includesOperators = from.includes("operators");
  return {
    async find(update) {
      const cluster = { ...update, release: update.context.release };
      const checks = [
        ...(await loadPayloadChecks(update, loadPayload)),
        ...(includesOperators ? await findOperatorChecks(cluster, grants, loadOperators) : []),
      ];
      for (const check of checks) found.set(check.id, check);
      return checks;
    },
    found: () => [...found.values()],
    includesOperators,
  };
}

/** Compiles the same texts once, however many cycles run them. */
function rememberLoaded<Args extends readonly unknown[]>(
  load: (...args: Args) => Promise<readonly Check[]>,
  most: number,
): (...args: Args) => Promise<readonly Check[]> {
  const loaded = new Map<string, Promise<readonly Check[]>>();
  return (...args) => {
    const key = JSON.stringify(args);
    const checks = loaded.get(key) ?? load(...args);
    loaded.delete(key);
    loaded.set(key, checks);
    const [oldest] = loaded.keys();
    if (loaded.size > most && oldest !== undefined) loaded.delete(oldest);
    return checks;
  };
}
