import { type CelValue, isKind } from "../values/value.ts";
import type { Activation } from "./environment.ts";

/** Where steps led from the value that was asked last, and what they cost: expressions that follow one another share it. */
type SharedPart<Part> = { of: CelValue | undefined; part: Part; cost: number };

/** By what names the steps. */
type SharedParts<Part> = Map<string, SharedPart<Part>>;

const selected: SharedParts<CelValue> = new Map();
const found: SharedParts<CelValue | undefined> = new Map();

/** Expressions that are compiled after so many others share nothing with them. */
const MOST = 500;

type Code<Part> = (frame: Activation) => Part;

/** Of steps that are all taken. */
export function shareSelection(steps: string, root: Code<CelValue>, take: Code<CelValue>): Code<CelValue> {
  return share(findShared(selected, steps, null), root, take);
}

/** Of steps of which some are optional. */
export function shareSearch(
  steps: string,
  root: Code<CelValue>,
  take: Code<CelValue | undefined>,
): Code<CelValue | undefined> {
  return share(findShared(found, steps, undefined), root, take);
}

function findShared<Part>(known: SharedParts<Part>, steps: string, part: Part): SharedPart<Part> {
  const shared = known.get(steps);
  if (shared !== undefined) return shared;
  if (known.size === MOST) known.clear();
  const added = { of: undefined, part, cost: 0 };
  known.set(steps, added);
  return added;
}

/**
 * Takes steps from an object once for all expressions that take them, one after the other. Each pays for them; what its limit does not allow,
 * it takes itself, to end where it would.
 */
function share<Part>(shared: SharedPart<Part>, root: Code<CelValue>, take: Code<Part>): Code<Part> {
  return (frame) => {
    const value = root(frame);
    if (shared.of === value && frame.spent + shared.cost <= frame.costLimit) {
      frame.spent += shared.cost;
      return shared.part;
    }
    const { spent } = frame;
    const part = take(frame);
    // What an expression makes may still grow.
    if (isKind(value, "map") && value.json !== undefined) {
      [shared.of, shared.part, shared.cost] = [value, part, frame.spent - spent];
    }
    return part;
  };
}

/** Lets go of the objects that were asked last. */
export function forgetParts(): void {
  for (const shared of selected.values()) [shared.of, shared.part] = [undefined, null];
  for (const shared of found.values()) [shared.of, shared.part] = [undefined, undefined];
}
