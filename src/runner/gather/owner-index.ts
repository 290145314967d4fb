import type { JsonObject } from "../../model/json.ts";
import { formatOwner, type Owner, parseOwners } from "../../model/owner.ts";
import { getGroup, type ObjectRef, refOf } from "../../model/resource.ts";
import { hashText } from "../../model/text-hash.ts";

/** The owners of the objects that a cycle keeps something of. Which of these have a fault shows only once all are read. */
export type OwnerIndex = {
  readonly add: (object: JsonObject) => void;
  readonly find: (ref: ObjectRef) => readonly Owner[];
};

/** As many different sets of owners are kept; objects of others then have none. */
const MAX_OWNERS = 20_000;

/** Objects are known by a hash of 64 bits, since there may be very many of them, and names take several times as much. */
export function createOwnerIndex(maxOwners = MAX_OWNERS): OwnerIndex {
  const sets: (readonly Owner[])[] = [];
  const numbers = new Map<string, number>();
  let table = createTable(1024);
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
    if (number === undefined) return;
    if (table.isCrowded()) table = growTable(table);
    table.set(hashRef(refOf(object)), number);
  };
  return { add, find: (ref) => sets[table.get(hashRef(ref)) - 1] ?? [] };
}

type Hash = readonly [number, number];

/** Of the group without its version, since a finding may name another version of the same object. */
function hashRef({ apiVersion, kind, namespace = "", name }: ObjectRef): Hash {
  return hashText([getGroup(apiVersion), kind, namespace, name].join("\u0000"));
}

/** Numbers above 0 by hash. */
type Table = {
  readonly slots: Uint32Array;
  readonly get: (hash: Hash) => number;
  readonly set: (hash: Hash, number: number) => void;
  readonly isCrowded: () => boolean;
};

/** Three words for each entry, with open addressing: a Map takes three times as much for 100,000 of them. */
function createTable(capacity: number): Table {
  const slots = new Uint32Array(capacity * 3);
  let count = 0;
  const findSlot = ([a, b]: Hash): number => {
    let slot = a % capacity;
    while (slots[slot * 3 + 2] !== 0 && (slots[slot * 3] !== a || slots[slot * 3 + 1] !== b))
      slot = (slot + 1) % capacity;
    return slot * 3;
  };
  const set = (hash: Hash, number: number): void => {
    const slot = findSlot(hash);
    if (slots[slot + 2] === 0) count += 1;
    slots.set([...hash, number], slot);
  };
  return { slots, set, get: (hash) => slots[findSlot(hash) + 2] ?? 0, isCrowded: () => count > capacity * 0.7 };
}

function growTable({ slots }: Table): Table {
  const table = createTable((slots.length / 3) * 2);
  for (let i = 0; i < slots.length; i += 3) {
    const number = slots[i + 2] ?? 0;
    if (number !== 0) table.set([slots[i] ?? 0, slots[i + 1] ?? 0], number);
  }
  return table;
}
