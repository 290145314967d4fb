import { formatGroupResource, parseResource } from "../../model/resource.ts";
import { type Read, each } from "../../model/read.ts";
import type { ReadFailure, Reader } from "../../model/reader.ts";
import type { CycleFailure } from "../../model/report.ts";
import { MIRROR_KINDS, type Mirror, parseMirrorSet } from "../../release/image/mirrors.ts";

/** The kinds in which mirrors are. */
export const mirrorReads: readonly Read[] = MIRROR_KINDS.map(({ resource }) => each(resource, () => undefined));

export type ClusterMirrors = {
  readonly mirrors: readonly Mirror[];
  /** Why some could not be read. Only worth a line if the image can't be read either. */
  readonly problems: readonly string[];
  /** The cluster can't be read at all, so that nothing can be checked. */
  readonly failure?: CycleFailure;
};

/** The mirrors of a cluster, which its nodes would pull the release from. */
export async function readClusterMirrors(reader: Reader, signal: AbortSignal): Promise<ClusterMirrors> {
  const mirrors: Mirror[] = [];
  const problems: string[] = [];
  for (const kind of MIRROR_KINDS) {
    const resource = parseResource(kind.resource);
    let found: Mirror[] = [];
    const begin = () => {
      found = [];
      return (object: Parameters<typeof parseMirrorSet>[0]) => void found.push(...parseMirrorSet(object, kind));
    };
    const result = await reader.list(resource, begin, signal);
    if (result.kind === "listed") mirrors.push(...found);
    const failure = result.kind === "failed" ? findClusterFailure(result) : undefined;
    if (failure) return { mirrors, problems, failure };
    if (result.kind === "failed" && result.reason !== "NotRecorded")
      problems.push(`the mirrors in ${formatGroupResource(resource)} could not be read: ${result.message}`);
  }
  return { mirrors, problems };
}

function findClusterFailure({ reason, message }: ReadFailure): CycleFailure | undefined {
  if (reason === "Unauthorized") return { reason, message };
  return reason === "Unreachable" || reason === "TimedOut" ? { reason: "ClusterUnreachable", message } : undefined;
}
