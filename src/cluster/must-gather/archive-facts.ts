import { collectBytes } from "../../files/named-file.ts";
import type { ArchiveFile } from "./archive-files.ts";

const MAX_FACT_BYTES = 1 << 20;

/** A small text file; undefined if it is larger than any such file is, or can't be read. */
export async function readFactFile(file: ArchiveFile): Promise<string | undefined> {
  const bytes = await collectBytes(file.read(), MAX_FACT_BYTES).catch(() => undefined);
  return bytes?.toString("utf8");
}

/** The image that gathered, and its version: the two lines of its version file. */
export function isStandardImage(version: string): boolean {
  return version.split("\n", 1).join().trim() === "openshift/must-gather";
}

/** The times at which `oc adm must-gather` began and ended, as Go prints a time. The second is absent while it runs, or if it was stopped. */
export function parseTimes(timestamp: string): readonly Date[] {
  return timestamp.split("\n").flatMap((line) => {
    const [, date, time, hours, minutes] =
      /^(\d{4}-\d{2}-\d{2}) (\d{2}:\d{2}:\d{2})(?:\.\d+)? ([+-]\d{2})(\d{2})\b/.exec(line) ?? [];
    // oxlint-disable-next-line no-restricted-globals -- reading a written time
    const instant = new Date(`${date}T${time}${hours}:${minutes}`);
    return Number.isNaN(instant.getTime()) ? [] : [instant];
  });
}

/** Lines such as "   1203 pods", as `uniq -c` writes them. */
export function parseObjectCounts(text: string): ReadonlyMap<string, number> {
  const lines = text.split("\n").flatMap((line) => {
    const [, count, prefix] = /^\s*(\d+) ([\w.-]+)\s*$/.exec(line) ?? [];
    return count === undefined || prefix === undefined ? [] : [[prefix, Number(count)] as const];
  });
  return new Map(lines);
}
