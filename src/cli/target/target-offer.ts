import type { TargetOffer } from "../../model/route.ts";
import { getPlatform } from "../../model/target-version.ts";
import { selectFromGraph } from "../../release/graph/target-selection.ts";
import type { ChecksAndTarget } from "./checks-and-target.ts";
import type { Io } from "../io/io.ts";
import { readClusterUpdateFacts } from "./cluster-update-facts.ts";
import type { GraphCluster, GraphValues } from "./graph-reader.ts";

/** A target with what the update service says of it, for the checks and for the formats. */
export function addOffer(given: ChecksAndTarget, offer: TargetOffer): ChecksAndTarget {
  const { target } = given;
  if (target.kind === "failed") return { ...given, offer };
  return { ...given, target: { ...target, recommendation: offer.recommendation }, offer };
}

/** Looks up a target in the graph of --graph, if there is one: what it publishes for the update counts. Throws a FailedError if it can't be read. */
export async function addGraphOffer(
  given: ChecksAndTarget,
  values: GraphValues,
  cluster: GraphCluster,
  io: Io,
): Promise<ChecksAndTarget> {
  const { kind, version } = given.target;
  if (values.graph === undefined || kind === "failed" || version === undefined || getPlatform(version) === "kubernetes")
    return given;
  const facts = await readClusterUpdateFacts(cluster.reader, io.stopSignal);
  if (facts === undefined) return given;
  const { readUpdateGraph } = await import("./graph-reader.ts");
  const request = { kind: "release", version } as const;
  const read = await readUpdateGraph(values, request, facts, cluster, io);
  const selected = selectFromGraph(read, facts.source, facts.channel, request);
  return addOffer(given, selected?.offer ?? { recommendation: { kind: "notOffered" } });
}
