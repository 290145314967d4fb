import type { Unknown } from "../../model/check.ts";
import {
  type Gathered,
  type GatherResult,
  getReadPath,
  type Read,
  type ReadResults,
  type Reads,
} from "../../model/read.ts";
import { formatGroupResource } from "../../model/resource.ts";
import { formatUngranted } from "../../model/ungranted.ts";

/** The values for the code of a check, or the reads that failed, in which case it does not run. */
export function collectValues(reads: Reads, gathered: Gathered): ReadResults<Reads> | readonly Unknown[] {
  const unknowns = Object.values(reads).flatMap((read) => findReadUnknowns(read, gathered.get(read)));
  return unknowns.length > 0 ? unknowns : selectValues(reads, gathered);
}

/** The values of the reads that did not fail. */
export function selectValues(reads: Reads, gathered: Gathered): ReadResults<Reads> {
  return Object.fromEntries(
    Object.entries(reads).flatMap(([key, read]) => {
      const result = gathered.get(read);
      return result === undefined || result.kind === "failed" ? [] : [[key, result]];
    }),
  );
}

export function isUnknownList(values: ReadResults<Reads> | readonly Unknown[]): values is readonly Unknown[] {
  return Array.isArray(values);
}

export function findReadUnknowns(read: Read, result: GatherResult | undefined): readonly Unknown[] {
  if (result === undefined) return [{ reason: "NotRead", where: getReadPath(read), message: "it was not read" }];
  if (result.kind !== "failed") return [];
  const { reason } = result;
  const isUngranted = reason === "Forbidden" && read.kind === "each" && read.isUngranted === true;
  const message = isUngranted ? formatUngranted(result.message) : result.message;
  return [{ reason, where: formatRead(read), message }];
}

/** What an archive lacks of a list whose other objects were judged. */
export function findGapUnknowns(read: Read, result: GatherResult | undefined): readonly Unknown[] {
  const gaps = result !== undefined && "gaps" in result ? (result.gaps ?? []) : [];
  return gaps.map(({ reason, message }) => ({ reason, where: formatRead(read), message }));
}

/** "networks.config.openshift.io cluster": the arguments of `oc get`. */
function formatRead(read: Read): string {
  if (read.kind === "raw" || read.kind === "query") return getReadPath(read);
  const kind = formatGroupResource(read.resource);
  if (read.kind === "each") return kind;
  return `${kind} ${read.namespace === undefined ? "" : `${read.namespace}/`}${read.name}`;
}
