import type { Context } from "../../model/check.ts";
import { type JsonObject, textAt, findOwn } from "../../model/json.ts";
import { type Each, withManagedFields } from "../../model/read.ts";
import { refOf } from "../../model/resource.ts";
import type { DefaultedField } from "./changed-defaults.ts";
import { type CrdPair, getMinors } from "./crd-pair.ts";
import { type KindPlan, type KindRead, readsManagedFields } from "./kind-plan.ts";
import { type KindSchemas, compileKind } from "./kind-schemas.ts";
import { type ObjectVerdict, judgeObject } from "./object-verdict.ts";

/** Reads a CRD's objects: one list, mostly, by its key. */
export function buildObjectsReads(
  pair: CrdPair,
  plan: KindPlan,
  context: Context,
): readonly (readonly [key: string, read: Each<ObjectVerdict>])[] {
  const { name, group, plural, kind, listKind } = pair.installed;
  return plan.reads.map((list, i) => {
    const resource = { group, version: list.shown.name, resource: plural, kind, listKind };
    const keep = buildKeep(pair, plan, list, context);
    const read: Each<ObjectVerdict> = { kind: "each", resource, soundInPart: "object", ...keep };
    return [
      formatObjectsKey(name, i === 0 ? undefined : list.shown.name),
      readsManagedFields(pair, plan) ? withManagedFields(read) : read,
    ];
  });
}

/** `version`: of a further list of a kind, in the version that it shows. */
function formatObjectsKey(name: string, version?: string): `objects:${string}` {
  return version === undefined ? `objects:${name}` : `objects:${name}/${version}`;
}

/** The verdicts of all lists of a kind, those on one object as one. */
export function collectVerdicts(
  { installed }: CrdPair,
  getValues: (key: `objects:${string}`) => readonly ObjectVerdict[],
): readonly ObjectVerdict[] {
  const first = getValues(formatObjectsKey(installed.name));
  const more = installed.versions.flatMap(({ name }) => getValues(formatObjectsKey(installed.name, name)));
  if (more.length === 0) return first;
  const byObject = Map.groupBy([...first, ...more], ({ object }) => `${object.namespace ?? ""}/${object.name}`);
  return [...byObject.values()].flatMap((verdicts) => {
    const [one] = verdicts;
    if (one === undefined) return [];
    const hasErrorsToday = verdicts.some((verdict) => verdict.hasErrorsToday);
    const defaultedFields = joinDefaulted(verdicts.flatMap((verdict) => verdict.defaultedFields));
    const mayBeStoredIn = verdicts.find((verdict) => verdict.mayBeStoredIn !== undefined)?.mayBeStoredIn;
    const versions = verdicts.flatMap((verdict) => verdict.versions);
    return [{ ...one, versions, defaultedFields, hasErrorsToday, mayBeStoredIn }];
  });
}

/** Each field once, and open if one of the lists leaves it open. */
function joinDefaulted(fields: readonly DefaultedField[]): readonly DefaultedField[] {
  return [...Map.groupBy(fields, ({ path }) => path).values()].flatMap((own) =>
    own.slice(0, 1).map((one) => ({ ...one, isUnwritten: own.every(({ isUnwritten }) => isUnwritten) })),
  );
}

/** Paths of one object that another check judges in full are left to it when it runs: one fact, one finding. */
type OtherCheck = { readonly check: string; readonly object: string; readonly paths: readonly string[] };
const JUDGED_BY_OTHER_CHECKS: Readonly<Record<string, OtherCheck>> = {
  "clusterversions.config.openshift.io": {
    check: "capability-enums",
    object: "version",
    paths: ["spec.capabilities", "status.capabilities"],
  },
  "nodes.config.openshift.io": { check: "cgroup-v1", object: "cluster", paths: ["spec.cgroupMode"] },
};

function findOtherCheck(name: string, { checks }: Context): OtherCheck | undefined {
  const elsewhere = findOwn(JUDGED_BY_OTHER_CHECKS, name);
  return elsewhere !== undefined && checks.includes(elsewhere.check) ? elsewhere : undefined;
}

/**
 * Schemas are compiled when the first object arrives, because most kinds have none, and dropped with their list. That there is an object is
 * kept if a webhook converts it.
 */
function buildKeep(
  pair: CrdPair,
  plan: KindPlan,
  list: KindRead,
  context: Context,
): Pick<Each<ObjectVerdict>, "keep" | "begin" | "done"> {
  const elsewhere = findOtherCheck(pair.installed.name, context);
  let schemas: KindSchemas | undefined;
  let isConvertedSeen = plan.converted.length === 0;
  const keep = (object: JsonObject): ObjectVerdict | undefined => {
    schemas ??= compileKind(pair, plan, list, getMinors(context));
    const isElsewhere = elsewhere !== undefined && textAt(object, "metadata", "name") === elsewhere.object;
    const verdict = judgeObject(object, schemas, isElsewhere ? elsewhere.paths : []);
    if (verdict !== undefined || isConvertedSeen) return verdict;
    isConvertedSeen = true;
    return { object: refOf(object), versions: [], defaultedFields: [], hasErrorsToday: false };
  };
  const begin = (): void => void (isConvertedSeen = plan.converted.length === 0);
  const done = (): void => void (schemas = undefined);
  return { keep, begin, done };
}
