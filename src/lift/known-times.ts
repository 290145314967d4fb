import { at, isList, isObject, type Json, textAt } from "../model/json.ts";

/**
 * The value with the transition times of its last version, wherever a condition's status is the same. An operator sets the times of its
 * conditions anew when it fetches the updates again, which changes nothing for a reader.
 */
export function withKnownTimes(next: Json, known: Json | undefined): Json {
  if (isList(next)) {
    const before = isList(known) ? known : [];
    return next.map((item) =>
      withKnownTimes(
        item,
        before.find((one) => keyOf(one) === keyOf(item)),
      ),
    );
  }
  if (!isObject(next)) return next;
  const entries = Object.entries(next).map(([key, value]) => [key, withKnownTimes(value, at(known, key))] as const);
  const [time, isSame] = [textAt(known, "lastTransitionTime"), textAt(known, "status") === textAt(next, "status")];
  const isTimed = textAt(next, "lastTransitionTime") !== undefined && time !== undefined && isSame;
  return { ...Object.fromEntries(entries), ...(isTimed ? { lastTransitionTime: time } : {}) };
}

/** What identifies an update, a risk or a condition in its list. */
function keyOf(item: Json): string {
  return textAt(item, "release", "version") ?? textAt(item, "name") ?? textAt(item, "type") ?? "";
}
