import { isDeepStrictEqual } from "node:util";
import type { Check } from "../model/check.ts";
import type { Reader } from "../model/reader.ts";

/** Freezes a value and everything in it, at any depth. */
export function deepFreeze<T>(value: T): T {
  const pending: unknown[] = [value];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (typeof next !== "object" || next === null || Object.isFrozen(next)) continue;
    pending.push(...Object.values(Object.freeze(next)));
  }
  return value;
}

/** A reader whose objects can't be changed, since checks share them. */
export function freezeReader(reader: Reader): Reader {
  return {
    get: async (place, ...more) => deepFreeze(await reader.get(place, ...more)),
    list: (resource, begin, ...more) =>
      reader.list(
        resource,
        (held) => {
          const visit = begin(held);
          return (object) => visit(deepFreeze(object));
        },
        ...more,
      ),
    raw: reader.raw,
  };
}

/** A check whose `evaluate` is called twice with frozen arguments and must return the same result both times. */
export function freezeCheck(check: Check): Check {
  return {
    ...check,
    evaluate: (values, context, followed) => {
      const args = [deepFreeze(values), deepFreeze(context), deepFreeze(followed)] as const;
      const judgement = check.evaluate(...args);
      if (!isDeepStrictEqual(check.evaluate(...args), judgement))
        throw new Error(`${check.id} says something else when asked again`);
      return judgement;
    },
  };
}
