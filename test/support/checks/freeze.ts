import assert from "node:assert/strict";
import type { Check } from "../../../src/model/check.ts";
import type { Reader } from "../../../src/model/reader.ts";

/** Freezes a value and everything in it. */
export function deepFreeze<T>(value: T): T {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return value;
  Object.freeze(value);
  for (const held of Object.values(value)) deepFreeze(held);
  return value;
}

/** A reader whose objects can't be changed, since checks share them. */
export function freezeReader(reader: Reader): Reader {
  return {
    get: async (place, signal) => deepFreeze(await reader.get(place, signal)),
    list: (resource, begin, signal, part) =>
      reader.list(
        resource,
        (held) => {
          const visit = begin(held);
          return (object) => visit(deepFreeze(object));
        },
        signal,
        part,
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
      assert.deepEqual(check.evaluate(...args), judgement, `${check.id} says something else when asked again`);
      return judgement;
    },
  };
}
