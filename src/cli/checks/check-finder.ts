import type { OriginPool } from "../../data-checks/run/budget.ts";
import type { Check } from "../../model/check.ts";
import type { PreparedUpdate } from "../../runner/updates/prepare-update.ts";
import type { LoadOperatorTexts, ReadGrants } from "./operator-checks.ts";
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

/** Those of the target are found in any case. */
export function createCheckFinder({ from, grants }: FinderOptions = NOBODY): CheckFinder {
  const found = new Map<string, Check>();
  const loadPayload = rememberLoaded(loadPayloadTexts, MOST_RELEASES);
  const loadOperators = rememberLoaded(createOperatorLoader(), MOST_OPERATORS);
  const includesOperators = from.includes("operators");
  const findOfOperators = async (update: PreparedUpdate): Promise<readonly Check[]> => {
    const { findOperatorChecks } = await import("./operator-checks.ts");
    return findOperatorChecks({ ...update, release: update.context.release }, grants, loadOperators);
  };
  return {
    async find(update) {
      const ofPayload = await loadPayloadChecks(update, loadPayload);
      const checks = includesOperators ? [...ofPayload, ...(await findOfOperators(update))] : ofPayload;
      for (const check of checks) found.set(check.id, check);
      return checks;
    },
    found: () => [...found.values()],
    includesOperators,
  };
}

/** Imported only if operators may bring checks. All of them share what checks of others may spend and keep. */
function createOperatorLoader(): LoadOperatorTexts {
  let all: OriginPool | undefined;
  return async (texts, source, scope) => {
    const { loadOperatorTexts } = await import("./operator-checks.ts");
    const { createOriginPool, createPoolShare } = await import("../../data-checks/run/budget.ts");
    all ??= createOriginPool();
    return loadOperatorTexts(texts, source, scope, createPoolShare(all));
  };
}

/** More than the releases of a plan, or of most fleets. */
const MOST_RELEASES = 16;
const MOST_OPERATORS = 64;

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
