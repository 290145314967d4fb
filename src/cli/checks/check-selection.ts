import type { Check, Context, Unknown } from "../../model/check.ts";
import { UsageError } from "../../model/errors.ts";
import type { FindChecks, FoundChecks, PreparedUpdate } from "../../runner/updates/update.ts";
import type { ConfigValues } from "../settings/config-file.ts";
import type { SelectionValues } from "../settings/judging-settings.ts";
import { type HostedValues, listSubjects } from "../settings/hosted-settings.ts";
import type { CheckSetValues, FinderValues } from "./check-set.ts";
import { formatDidYouMean, summarizeNames } from "../../model/text.ts";
import { createOriginPool, createPoolShare } from "../../data-checks/run/limits.ts";
import { findNamespaceChecks } from "./namespace-checks.ts";
import type { TrustedNamespace } from "./trusted-namespaces.ts";
import { findOperatorChecks } from "./operator-checks.ts";
import { type LoadVendorTexts, type ReadGrants, loadVendorTexts } from "./vendor-checks.ts";
import { buildUnknownCheck, loadChecks } from "../../data-checks/load.ts";
import type { ReleaseCheckText } from "../../model/release.ts";
import { HOSTED_PROFILE } from "../../model/infrastructure.ts";
import { listTakenNames } from "./risk-names.ts";
import type { RecheckValues } from "./earlier-checks.ts";

/** What --checks, --checks-from, --only, --skip and --recheck say. */
export type ChosenValues = Pick<SelectionValues, "only" | "skip"> &
  CheckSetValues &
  FinderValues &
  RecheckValues &
  HostedValues;

/** The checks that run, those that the user left out, and how more are found. Checks that run only on request leave nothing out. */
export type CheckSelection = FoundChecks & { readonly findChecks?: FindChecks };

/** The checks that --only, --skip and --recheck select, and why others were left out for good. */
export function parseChecks(values: ChosenValues, mayBeAbsent: (id: string) => boolean = isFoundLater): CheckSelection {
  const { only, skip, config, checkSet, earlier, "checks-from": from = ["payload"] } = values;
  const subjects = listSubjects(values);
  const candidates = selectOfSubject(checkSet.checks, subjects);
  requireSubject([...only, ...skip], checkSet.checks, subjects);
  const accept = (selection: FoundChecks): FoundChecks => acceptLeftOut(selection, config);
  const findChecks: FindChecks = async (update) => {
    const found = selectOfSubject(await checkSet.finder.find(update), subjects);
    const isUnwanted = ({ origin }: Check): boolean => origin?.kind === "payload" && !from.includes("payload");
    const wanted = found.filter((check) => !isUnwanted(check));
    const { checks, leftOut } = earlier?.select(wanted, skip) ?? divideChecks(wanted, only, skip);
    const unwanted = found.filter(isUnwanted).map((check) => ({ check, by: "--checks-from" }));
    const gone = earlier?.listGone([...candidates, ...found]) ?? [];
    return {
      ...accept({ checks, leftOut: [...leftOut, ...unwanted, ...gone] }),
      includesOperators: checkSet.finder.includesOperators,
    };
  };
  const selected = selectChecks(candidates, only, skip, mayBeAbsent);
  return { ...accept(earlier?.select(candidates, skip) ?? selected), findChecks };
}

/** The checks about these subjects; by default those about the cluster that is read. */
export function selectOfSubject(checks: readonly Check[], subjects: Subjects = [undefined]): readonly Check[] {
  return checks.filter(({ special }) => subjects.includes(special?.subject));
}

type Subjects = ReturnType<typeof listSubjects>;

/** Throws a UsageError for a check that is about what is not checked. */
function requireSubject(ids: readonly string[], checks: readonly Check[], subjects: Subjects): void {
  const other = checks.find(({ id, special }) => ids.includes(id) && !subjects.includes(special?.subject));
  if (other === undefined) return;
  throw new UsageError(
    subjects.includes(undefined)
      ? `the check ${other.id} judges hosted clusters: add --hosted-cluster NAMESPACE/NAME`
      : `the check ${other.id} judges no hosted cluster: remove --hosted-cluster, or name the guest too (--guest-kubeconfig)`,
  );
}

/** Checks of a target or a cluster are known once it is read. */
export function isFoundLater(id: string): boolean {
  return /^(?:payload|olm|ns)-/.test(id);
}

function acceptLeftOut({ checks, leftOut }: FoundChecks, config: ConfigValues["config"]): FoundChecks {
  const accepted = leftOut.map((one) => ({
    ...one,
    accepted: config?.acceptChecks.findLast(({ check }) => check === one.check.id),
  }));
  return { checks, leftOut: accepted };
}

/** Throws a UsageError for an unknown id, unless it may be absent. Some checks run only if --only names them. */
export function selectChecks(
  candidates: readonly Check[],
  only: readonly string[],
  skip: readonly string[],
  mayBeAbsent: (id: string) => boolean = () => false,
): FoundChecks {
  const ids = candidates.map((check) => check.id);
  const unknownId = [...only, ...skip].find((id) => !ids.includes(id) && !mayBeAbsent(id));
  if (unknownId !== undefined)
    throw new UsageError(
      `no check has the id "${unknownId}"${formatDidYouMean(unknownId, ids) || `: the ids are ${ids.join(", ")}`}`,
    );
  const selection = divideChecks(candidates, only, skip);
  if (selection.checks.length === 0 && !only.some(mayBeAbsent))
    throw new UsageError("--only and --skip together leave no check to run");
  return selection;
}

function divideChecks(candidates: readonly Check[], only: readonly string[], skip: readonly string[]): FoundChecks {
  const isSelected = ({ id, special }: Check) =>
    only.length === 0 ? special?.onRequest === undefined : only.includes(id);
  const selected = candidates.filter((check) => isSelected(check) && !skip.includes(check.id));
  const others = candidates.filter((check) => check.special?.onRequest === undefined && !selected.includes(check));
  const leftOut = others.map((check) => ({ check, by: skip.includes(check.id) ? "--skip" : "--only" }));
  return { checks: selected, leftOut };
}

/** Finds the checks that targets and clusters bring, and remembers them for what is said of their risks afterwards. */
export type CheckFinder = {
  readonly find: (update: PreparedUpdate) => Promise<readonly Check[]>;
  readonly found: () => readonly Check[];
  /** Whether those of operators are among them. */
  readonly includesOperators: boolean;
};

/** `from`: who else may bring checks, as --checks-from says, with the namespaces among them. */
export type FinderOptions = {
  readonly from: readonly string[];
  readonly namespaces?: readonly TrustedNamespace[];
  readonly grants: ReadGrants;
};

const NOBODY: FinderOptions = { from: [], grants: new Map() };

/** More than the releases of a plan, or of most fleets. */
const MOST_RELEASES = 16;
const MOST_VENDORS = 64;

/** Those of the target are found in any case. */
export function createCheckFinder({ from, namespaces = [], grants }: FinderOptions = NOBODY): CheckFinder {
  const found = new Map<string, Check>();
  // All vendors share what checks of others may spend and keep.
  const pool = createOriginPool();
  const loadPayload = rememberLoaded(loadPayloadTexts, MOST_RELEASES);
  const loadVendors: LoadVendorTexts = rememberLoaded(
    (texts, source, scope) => loadVendorTexts(texts, source, scope, createPoolShare(pool)),
    MOST_VENDORS,
  );
  const includesOperators = from.includes("operators");
  return {
    async find(update) {
      const cluster = { ...update, release: update.context.release };
      const checks = [
        ...(await loadPayloadChecks(update, loadPayload)),
        ...(includesOperators ? await findOperatorChecks(cluster, grants, loadVendors) : []),
        ...(await findNamespaceChecks(cluster, namespaces, grants, loadVendors)),
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

/** Loads the checks of the target's payload, unless the cluster would refuse its image: then they are unknown by name. */
async function loadPayloadChecks(
  { context, facts, given }: Pick<PreparedUpdate, "context" | "facts" | "given">,
  load: LoadTexts,
): Promise<readonly Check[]> {
  const { checks: texts = [], imageVerification } = context.release;
  if (texts.length === 0) return [];
  const isTrusted =
    imageVerification === undefined || imageVerification.status === "Verified" || facts.profile === HOSTED_PROFILE;
  if (!isTrusted) return [buildUnverified(texts, context)];
  return load(texts, context.target.text, listFurtherNames(given));
}

/** Those that entries of --known-bugs have, and none of this build's. */
function listFurtherNames(given: readonly Check[]): readonly string[] {
  const own = listTakenNames();
  return [...listTakenNames(given.filter(({ id }) => id === "known-bugs"))].filter((name) => !own.has(name));
}

/** Resolves with what `loadPayloadTexts` does, or did before. */
type LoadTexts = typeof loadPayloadTexts;

export async function loadPayloadTexts(
  texts: readonly ReleaseCheckText[],
  release: string,
  furtherNames: readonly string[] = [],
): Promise<readonly Check[]> {
  const taken = new Set([...listTakenNames(), ...furtherNames]);
  return (await loadChecks(texts, { kind: "payload", release }, taken)).checks;
}

function buildUnverified(texts: readonly ReleaseCheckText[], { release, target }: Context): Check {
  const { image = "", imageVerification: { status = "Unknown", reason, message = "" } = {} } = release;
  const unknown: Unknown = {
    reason: reason ?? "SignatureNotVerified",
    where: `the checks of ${target.text}`,
    message: `${summarizeNames(texts.map(({ name }) => name))} did not run, because the image ${image} ${status === "Untrusted" ? "is " : ""}${message}`,
  };
  const check = buildUnknownCheck("payload-checks", "The checks that the target's components bring can run", [unknown]);
  return { ...check, origin: { kind: "payload", release: target.text, file: image } };
}
