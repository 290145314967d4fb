import { type SourceText, buildUnknownCheck, buildSourceId, loadChecks } from "../../data-checks/load.ts";
import { buildCrashUnknown } from "../../runner/plan/check-code.ts";
import type { ReadScope, OriginPool } from "../../data-checks/run/limits.ts";
import type { CheckSource } from "../../model/check-origin.ts";
import type { CheckedOperator } from "../../model/cluster-service-version.ts";
import { CHECKS_ANNOTATION, CSV_RESOURCE, findCheckedOperator } from "../../model/cluster-service-version.ts";
import { compareText } from "../../model/json.ts";
import { summarizeNames } from "../../model/text.ts";
import { type Check, type Unknown, getUnknownRiskName } from "../../model/check.ts";
import type { Reader } from "../../model/reader.ts";
import type { Release } from "../../model/release.ts";
import { parseResource, formatGroupResource } from "../../model/resource.ts";
import { listCheckTexts } from "../../release/payload/check-texts.ts";
import type { PreparedUpdate } from "../../runner/updates/update.ts";
import { type NamedConfigMap, getDataDigest, parseChecksAnnotation } from "../../encoding/check-config-map.ts";
import { listTakenNames } from "./risk-names.ts";

/** What an administrator lets the checks of an operator read besides, by the operator: "olm/strimzi-kafka-operator". */
export type ReadGrants = ReadonlyMap<string, readonly string[]>;

/** The checks that the operators of a cluster bring, as far as they are what the operators' own bundles name. */
export async function findOperatorChecks(
  cluster: OperatorCluster,
  grants: ReadGrants,
  load: LoadOperatorTexts,
): Promise<readonly Check[]> {
  return loadBundles(await readBundles(cluster.reader, cluster.signal), cluster, grants, load);
}

/** Where operators are looked for. `release`: the target. */
type OperatorCluster = Pick<PreparedUpdate, "reader" | "signal"> & {
  readonly release: Pick<Release, "crdFolder" | "crdFiles">;
};

export async function loadBundles(
  { bundles, unknowns }: FoundBundles,
  { release, reader, signal }: OperatorCluster,
  grants: ReadGrants,
  load: LoadOperatorTexts,
): Promise<readonly Check[]> {
  const loaded = await Promise.all(
    bundles.map(async (bundle) => {
      const texts = await readTexts(bundle, reader, signal);
      return loadBundle(texts, bundle, buildScope(bundle, grants, release), load);
    }),
  );
  const all = refuseShared(loaded.flat().toSorted((a, b) => compareText(a.id, b.id)));
  const unread = all.length > MOST_CHECKS ? [...unknowns, buildExcess(all)] : unknowns;
  const checks = all.slice(0, MOST_CHECKS);
  return unread.length === 0 ? checks : [...checks, buildUnread(unread)];
}

/** An operator whose checks can't be loaded because of a bug of preflight's leaves the others theirs. */
async function loadBundle(
  texts: readonly SourceText[],
  { package: name, version }: OperatorBundle,
  scope: ReadScope,
  load: LoadOperatorTexts,
): Promise<readonly Check[]> {
  const source = { kind: "operator", package: name, version } as const;
  try {
    return await load(texts, source, scope);
  } catch (thrown) {
    const id = buildSourceId("checks", source);
    const title = `The checks of ${name} can run`;
    return [buildUnknownCheck(id, title, [buildCrashUnknown({ id }, thrown)])];
  }
}

/** Of all operators together: more than anybody reads. */
const MOST_CHECKS = 300;

function buildExcess(checks: readonly Check[]): Unknown {
  const names = summarizeNames(checks.slice(MOST_CHECKS).map(({ id }) => id));
  return { reason: "CheckInvalid", where: names, message: `operators bring more than ${MOST_CHECKS} checks` };
}

/** Resolves with what `loadOperatorTexts` does, or did before. */
export type LoadOperatorTexts = typeof loadOperatorTexts;

export async function loadOperatorTexts(
  texts: readonly SourceText[],
  source: CheckSource,
  scope: ReadScope,
  pool?: OriginPool,
): Promise<readonly Check[]> {
  return (await loadChecks(texts, source, listTakenNames(), { scope, pool })).checks;
}

/** What the target's own CRDs define is the platform's, whatever an operator says. */
function buildScope(bundle: OperatorBundle, grants: ReadGrants, release: OperatorCluster["release"]): ReadScope {
  const owner = `olm/${bundle.package}`;
  const isPlatform = (kind: string): boolean => release.crdFolder === undefined && release.crdFiles.has(kind);
  const owned = bundle.operators.flatMap(({ kinds }) => kinds).filter((kind) => !isPlatform(kind));
  return {
    kinds: [...new Set([...owned, ...(grants.get(owner) ?? [])])].toSorted(),
    namespaces: [...new Set(bundle.operators.map(({ namespace }) => namespace))].toSorted(),
  };
}

/** The texts of every ConfigMap that the bundle names; one that is not what it names is unknown. */
async function readTexts(bundle: OperatorBundle, reader: Reader, signal: AbortSignal): Promise<readonly SourceText[]> {
  const places = listConfigMaps(bundle);
  if (places === undefined) return bundle.operators.map(buildNotUnderstood);
  const texts = await Promise.all(places.map((place) => readConfigMap(place, reader, signal)));
  // The same operator in another namespace brings the same.
  return [...new Map(texts.flat().map((text) => [`${text.digest ?? text.name}`, text])).values()];
}

function buildNotUnderstood({ namespace, name }: CheckedOperator): SourceText {
  const where = `ClusterServiceVersion ${namespace}/${name}`;
  const message = `its annotation ${CHECKS_ANNOTATION} is not NAME@sha256:DIGEST`;
  return buildUnreadText({ reason: "NotUnderstood", where, message });
}

function buildUnreadText(unknown: Unknown): SourceText {
  return { name: unknown.where, problem: unknown.message, unknown };
}

const CONFIG_MAPS = parseResource("v1/configmaps");

async function readConfigMap(
  { namespace, name, digest }: PlacedConfigMap,
  reader: Reader,
  signal: AbortSignal,
): Promise<readonly SourceText[]> {
  const where = `ConfigMap ${namespace}/${name}`;
  const result = await reader.get({ resource: CONFIG_MAPS, namespace, name }, signal);
  if (result.kind === "failed") return [buildUnreadText({ reason: result.reason, where, message: result.message })];
  if (result.kind === "absent")
    return [buildUnreadText({ reason: "NotFound", where, message: "the operator's bundle names it, and it is gone" })];
  if (getDataDigest(result.object) === digest) return listCheckTexts(result.object, where);
  const message = "its data are not those of the operator's bundle, so its checks did not run";
  return [buildUnreadText({ reason: "DigestMismatch", where, message })];
}

/** A name belongs to nobody if the checks of two operators claim it. */
function refuseShared(checks: readonly Check[]): readonly Check[] {
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
      const message = `the name ${listNames(check).find(isShared) ?? id} is taken by the check of another operator`;
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

/** Nobody knows which operators bring checks. */
function buildUnread(unknowns: readonly Unknown[]): Check {
  return buildUnknownCheck("olm-checks", "The checks that installed operators bring can run", unknowns);
}

/** What one annotation names: of one operator, or of the same one in several namespaces. */
export type OperatorBundle = {
  readonly package: string;
  readonly version: string;
  readonly annotation: string;
  readonly operators: readonly CheckedOperator[];
};

/** The bundles of a cluster, and why there may be more. None without OLM. */
type FoundBundles = { readonly bundles: readonly OperatorBundle[]; readonly unknowns: readonly Unknown[] };

const RESOURCE = parseResource(CSV_RESOURCE);

export async function readBundles(reader: Reader, signal: AbortSignal): Promise<FoundBundles> {
  let operators: CheckedOperator[] = [];
  let gap: string | undefined;
  const result = await reader.list(
    RESOURCE,
    (held) => {
      operators = [];
      gap = held?.message;
      return (csv) => {
        const operator = findCheckedOperator(csv);
        if (operator !== undefined) operators.push(operator);
      };
    },
    signal,
  );
  const where = formatGroupResource(RESOURCE);
  if (result.kind === "failed")
    return { bundles: [], unknowns: [{ reason: result.reason, where, message: result.message }] };
  const unknowns: readonly Unknown[] =
    result.kind === "listed" && gap !== undefined ? [{ reason: "NotRecorded", where, message: gap }] : [];
  return { bundles: groupOperators(operators), unknowns };
}

/** The ConfigMaps that an annotation names, in the namespace of each operator; undefined if it is not as it must be. */
export function listConfigMaps({ annotation, operators }: OperatorBundle): readonly PlacedConfigMap[] | undefined {
  const named = parseChecksAnnotation(annotation);
  return named && operators.flatMap(({ namespace }) => named.map((one) => ({ ...one, namespace })));
}

export type PlacedConfigMap = NamedConfigMap & { readonly namespace: string };

/** The same operator may be installed in several namespaces: its checks are the same then, and see the workloads of all of them. */
function groupOperators(operators: readonly CheckedOperator[]): readonly OperatorBundle[] {
  const groups = Map.groupBy(operators, (one) => `${one.package} ${one.annotation}`);
  return [...groups.values()].flatMap((group) => {
    const [first] = group.toSorted((a, b) => (a.namespace < b.namespace ? -1 : 1));
    if (first === undefined) return [];
    return [{ package: first.package, version: first.version, annotation: first.annotation, operators: group }];
  });
}
