/** Whether two values are known and differ: an unknown one differs from none. */
export function isDifferent(a: string | undefined, b: string | undefined): boolean {
  return a !== undefined && b !== undefined && a !== b;
}

/** The value of a key that comes from outside: "constructor" is the key of none, although every object has it. */
export function findOwn<T>(values: Readonly<Record<string, T>>, key: string): T | undefined {
  return Object.hasOwn(values, key) ? values[key] : undefined;
}
