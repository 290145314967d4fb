/** Deeper than any result. What a file of others nests below would take the stack of whoever reads or writes it. */
const MAX_DEPTH = 100;

/** The same plain value with all of its texts changed, those of keys too; the very same one if none changes. */
export function mapTexts<T>(value: T, change: (text: string) => string): T;
export function mapTexts(value: unknown, change: (text: string) => string): unknown {
  return mapAt(value, change, 0);
}

function mapAt(value: unknown, change: (text: string) => string, depth: number): unknown {
  if (typeof value === "string") return change(value);
  if (typeof value !== "object" || value === null) return value;
  if (depth > MAX_DEPTH) return null;
  if (Array.isArray(value)) return mapList(value, change, depth);
  return isPlainObject(value) ? mapObject(value, change, depth) : value;
}

/** Most values have nothing to change, and large ones are not copied for it. */
function mapList(value: readonly unknown[], change: (text: string) => string, depth: number): readonly unknown[] {
  const changed = value.map((one) => mapAt(one, change, depth + 1));
  return changed.every((one, i) => one === value[i]) ? value : changed;
}

function mapObject(value: object, change: (text: string) => string, depth: number): object {
  const entries = Object.entries(value);
  const changed = entries.map(([key, one]) => [change(key), mapAt(one, change, depth + 1)] as const);
  const isSame = changed.every(([key, one], i) => key === entries[i]?.[0] && one === entries[i]?.[1]);
  return isSame ? value : Object.fromEntries(changed);
}

/** A time, a set or an error is none. */
function isPlainObject(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
