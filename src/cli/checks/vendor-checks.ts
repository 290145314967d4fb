import { type SourceText, buildSourceId, buildUnknownCheck, loadChecks } from "../../data-checks/load.ts";
import type { OriginPool, ReadScope } from "../../data-checks/run/limits.ts";
import { type Check, type Unknown, getUnknownRiskName } from "../../model/check.ts";
import { type CheckSource, describeSource } from "../../model/check-origin.ts";
import { compareText } from "../../model/json.ts";
import type { Release } from "../../model/release.ts";
import { summarizeNames } from "../../model/text.ts";
import { buildCrashUnknown } from "../../runner/plan/check-code.ts";
import type { PreparedUpdate } from "../../runner/updates/update.ts";
import { listTakenNames } from "./risk-names.ts";

/** What an administrator lets the checks of a vendor read besides, by the vendor: "olm/strimzi-kafka-operator", "ns/shop". */
export type ReadGrants = ReadonlyMap<string, readonly string[]>;

/** Where checks of vendors are looked for. `release`: the target. */
export type VendorCluster = Pick<PreparedUpdate, "reader" | "signal"> & {
  readonly release: Pick<Release, "crdFolder" | "crdFiles">;
};

/** Resolves with what `loadVendorTexts` does, or did before. */
export type LoadVendorTexts = typeof loadVendorTexts;

export async function loadVendorTexts(
  texts: readonly SourceText[],
  source: CheckSource,
  scope: ReadScope,
  pool?: OriginPool,
): Promise<readonly Check[]> {
  return (await loadChecks(texts, source, listTakenNames(), { scope, pool })).checks;
}

/** A vendor whose checks can't be loaded because of a bug of preflight's leaves the others theirs. */
export async function loadVendor(
  texts: readonly SourceText[],
  source: CheckSource,
  scope: ReadScope,
  load: LoadVendorTexts,
): Promise<readonly Check[]> {
  try {
    return await load(texts, source, scope);
  } catch (thrown) {
    const id = buildSourceId("checks", source);
    return [
      buildUnknownCheck(id, `The checks of ${describeSource(source)} can run`, [buildCrashUnknown({ id }, thrown)]),
    ];
  }
}

/** The kinds that a vendor owns or was granted. What the target's own CRDs define is the platform's, whatever a vendor says. */
export function listVendorKinds(
  owned: readonly string[],
  granted: readonly string[] | undefined,
  { crdFolder, crdFiles }: VendorCluster["release"],
): readonly string[] {
  const others = owned.filter((kind) => crdFolder !== undefined || !crdFiles.has(kind));
  return [...new Set([...others, ...(granted ?? [])])].toSorted();
}

/** A text that can't be read. */
export function buildUnreadText(unknown: Unknown): SourceText {
  return { name: unknown.where, problem: unknown.message, unknown };
}

/** Of all vendors of a kind together: more than anybody reads. */
const MOST_CHECKS = 300;

/** What is said of vendors of a kind: "operators" and "operator"; `id` and `title` of the check that says why there may be more. */
export type VendorWords = { readonly id: string; readonly title: string; readonly many: string; readonly one: string };

/** The checks that run, and why there may be more. */
export function settleChecks(
  loaded: readonly Check[],
  unknowns: readonly Unknown[],
  words: VendorWords,
): readonly Check[] {
  const all = refuseShared(
    loaded.toSorted((a, b) => compareText(a.id, b.id)),
    words,
  );
  const unread = all.length > MOST_CHECKS ? [...unknowns, buildExcess(all, words)] : unknowns;
  const checks = all.slice(0, MOST_CHECKS);
  return unread.length === 0 ? checks : [...checks, buildUnknownCheck(words.id, words.title, unread)];
}

function buildExcess(checks: readonly Check[], { many }: VendorWords): Unknown {
  const names = summarizeNames(checks.slice(MOST_CHECKS).map(({ id }) => id));
  return { reason: "CheckInvalid", where: names, message: `${many} bring more than ${MOST_CHECKS} checks` };
}

/** A name belongs to nobody if the checks of two vendors claim it. */
function refuseShared(checks: readonly Check[], { one }: VendorWords): readonly Check[] {
  const claims = Map.groupBy(
    checks.flatMap((check) => listNames(check).map((name) => ({ name, check }))),
    ({ name }) => name,
  );
  const isShared = (name: string): boolean => (claims.get(name)?.length ?? 0) > 1;
  const shared = Map.groupBy(
    checks.filter((check) => listNames(check).some(isShared)),
    ({ id }) => id,
  );
  if (shared.size === 0) return checks;
  const refused = [...shared].map(([id, group]) => {
    const unknowns = group.map((check): Unknown => {
      const message = `the name ${listNames(check).find(isShared) ?? id} is taken by the check of another ${one}`;
      return { reason: "CheckInvalid", where: check.origin?.file ?? id, message };
    });
    return { ...buildUnknownCheck(id, `The check ${id} can be loaded`, unknowns), ...pickOrigin(group) };
  });
  return [...checks.filter(({ id }) => !shared.has(id)), ...refused];
}

function pickOrigin([first]: readonly Check[]): Pick<Check, "origin"> {
  return first?.origin === undefined ? {} : { origin: first.origin };
}

function listNames(check: Check): readonly string[] {
  return [check.id, getUnknownRiskName(check), ...check.risks.map(({ name }) => name)];
}
