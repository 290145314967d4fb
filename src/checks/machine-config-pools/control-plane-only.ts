import type { Context } from "../../model/check.ts";
import { getMinorOrdinal } from "../../model/version.ts";

/** From 5.0 on three releases in a row take the same nodes along, before it was an even one and the odd one before it. */
const FIRST_OF_THREE = getMinorOrdinal({ major: 5, minor: 0 });

/**
 * Is it a later step of a Control Plane Only update, over which pools stay paused as documented? In such a step the target supports the
 * oldest kubelets that the source supports. Nodes that are older still are another check's matter.
 */
export function isControlPlaneOnlyStep({ source, target }: Pick<Context, "source" | "target">): boolean {
  const ordinal = getMinorOrdinal(source);
  const remaining = ordinal < FIRST_OF_THREE ? ordinal % 2 : 2 - ((ordinal - FIRST_OF_THREE) % 3);
  return getMinorOrdinal(target) - ordinal <= remaining;
}
