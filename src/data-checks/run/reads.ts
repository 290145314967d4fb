import { type Each, type Get, each, get, onlyOn, withAnnotations } from "../../model/read.ts";
import type { JsonObject } from "../../model/json.ts";
import type { CompiledCheck } from "../compile/compile.ts";
import type { CompiledRead } from "../compile/reads.ts";
import { ITEMS, type ReadFields, type UsedFields } from "../fields.ts";
import { type CheckLimits, createBudget } from "./budget.ts";
import { type KeptItem, keepListed, keepObject } from "./kept.ts";
import { findAccess, isInNamespaces } from "./scope.ts";

export type CheckRead = Get<KeptItem> | Each<KeptItem>;

/** The reads for which `isWanted`, by key, as far as they are allowed. Each has a budget of its own, which begins anew with its list. */
export function buildReads(
  { reads, fields }: CompiledCheck,
  isWanted: (read: CompiledRead) => boolean,
  limits: CheckLimits,
): Readonly<Record<string, CheckRead>> {
  const allowed = reads.filter((read) => findAccess(read, limits.scope) !== "none");
  return Object.fromEntries(
    allowed.filter(isWanted).map((read) => {
      const own = fields.get(read.key);
      if (own === undefined) throw new Error(`${read.key} has no fields`);
      return [read.key, buildRead(read, own, limits)];
    }),
  );
}

function buildRead(read: CompiledRead, fields: ReadFields, limits: CheckLimits): CheckRead {
  const { list, get: resource, name = "", only } = read.definition;
  const built =
    list === undefined
      ? get(resource ?? "", name, (object) => keepObject(object, fields))
      : buildList(read, list, fields, limits);
  const annotated = withAnnotations(listAnnotations(fields.seen), built);
  return only === undefined ? annotated : onlyOn(only, annotated);
}

function buildList(read: CompiledRead, list: string, fields: ReadFields, { pool, scope }: CheckLimits): Each<KeptItem> {
  const { soundInPart, metadataOnly } = read.definition;
  const isForeign = (object: JsonObject): boolean =>
    scope !== undefined && findAccess(read, scope) === "namespaces" && !isInNamespaces(object, scope);
  let budget = createBudget(pool);
  let isFull = false;
  const keep = (object: JsonObject): KeptItem | undefined => {
    if (isFull || isForeign(object)) return undefined;
    const kept = keepListed(read, fields, budget, object);
    // One object tells that nothing more was judged.
    if (kept?.fault?.reason === "CostLimit" && budget.left() <= 0) isFull = true;
    if (kept === undefined || pool === undefined || pool.take(kept.text.length)) return kept;
    isFull = true;
    return {
      ...kept,
      fault: { reason: "TooManyObjects", message: "the checks that are not preflight's own keep more than 16 MiB" },
    };
  };
  return {
    ...each(list, keep),
    begin: () => void ([budget, isFull] = [createBudget(pool), false]),
    soundInPart,
    isMetadataOnly: metadataOnly,
  };
}

/** The annotations whose values are used, of the object or of a template in it. */
function listAnnotations({ members }: UsedFields): readonly string[] {
  const own = [...(members.get("annotations")?.members ?? [])].filter(([name, used]) => name !== ITEMS && used.isWhole);
  return [...own.map(([name]) => name), ...[...members.values()].flatMap(listAnnotations)];
}
