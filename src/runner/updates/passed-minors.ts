import type { Context } from "../../model/check.ts";
import { isListed, type ListedUpdates } from "../../model/listed-updates.ts";
import { findMinorsBetween } from "../../model/minors-between.ts";
import type { MinorsBetween } from "../../model/route.ts";
import type { SpecialContext } from "../../model/special-check.ts";

type Offer = Pick<SpecialContext, "running" | "recommendation">;

/**
 * The minors that the update passes, unless it is offered as one: by the update service, if the target was looked up there, and else by
 * ClusterVersion, which lists the updates of the running version only.
 */
export function findMinorsPassed(
  { source, target, running, recommendation }: Pick<Context, "source" | "target"> & Offer,
  listedUpdates: ListedUpdates | undefined,
): MinorsBetween | undefined {
  const names = findMinorsBetween(source, target).map(({ text }) => text);
  if (names.length === 0) return undefined;
  switch (recommendation?.kind) {
    case "recommended":
    case "conditional":
      return undefined;
    case "notOffered":
      return { names };
    case "unknown":
    case undefined:
      break;
  }
  if (listedUpdates === undefined) return { names };
  if (running !== undefined) return { names, unknown: `ClusterVersion lists only the updates from ${running.text}` };
  if (isListed(listedUpdates, target.text)) return undefined;
  const { channel, retrieval } = listedUpdates;
  return retrieval.kind === "retrieved" ? { names, channel } : { names, unknown: retrieval.why };
}
