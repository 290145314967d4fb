/** A value without the fields that are undefined, at any depth: they count as absent. */
export function present<T>(value: T): T;
export function present(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(present);
  if (value instanceof Map) return new Map([...value].map(([key, one]) => [key, present(one)]));
  if (typeof value !== "object" || value === null || Object.getPrototypeOf(value) !== Object.prototype) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, one]) => (one === undefined ? [] : [[key, present(one)]])),
  );
}
