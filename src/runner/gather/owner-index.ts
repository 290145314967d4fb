import type { JsonObject } from "../../model/json.ts";
import { formatOwner, type Owner, parseOwners } from "../../model/owner.ts";
import { getGroup, type ObjectRef, refOf } from "../../model/resource.ts";
import { createTextTable } from "../../model/text.ts";

/** The owners of the objects that a cycle keeps something of. Which of these have a fault shows only once all are read. */
export type OwnerIndex = {
  readonly add: (object: JsonObject) => void;
  readonly find: (ref: ObjectRef) => readonly Owner[];
};

/** As many different sets of owners are kept; objects of others then have none. */
const MAX_OWNERS = 20_000;

/** Objects are known by a hash, since there may be very many of them. */
export function createOwnerIndex(maxOwners = MAX_OWNERS): OwnerIndex {
  const sets: (readonly Owner[])[] = [];
  const numbers = new Map<string, number>();
  const table = createTextTable();
  const getNumber = (owners: readonly Owner[]): number | undefined => {
    const text = owners.map(formatOwner).join("\n");
    const known = numbers.get(text);
    if (known !== undefined || sets.length >= maxOwners) return known;
    sets.push(owners);
    numbers.set(text, sets.length);
    return sets.length;
  };
  const add = (object: JsonObject): void => {
    const owners = parseOwners(object);
    const number = owners.length === 0 ? undefined : getNumber(owners);
    if (number !== undefined) table.set(buildKey(refOf(object)), number);
  };
  return { add, find: (ref) => sets[table.get(buildKey(ref)) - 1] ?? [] };
}

/** Of the group without its version, since a finding may name another version of the same object. */
function buildKey({ apiVersion, kind, namespace = "", name }: ObjectRef): string {
  return [getGroup(apiVersion), kind, namespace, name].join("\u0000");
}
