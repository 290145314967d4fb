import { performance } from "node:perf_hooks";
import type { TrafficSummary } from "../../cluster/access/traffic.ts";
import { formatCount } from "../../model/text.ts";
import type { Absence, ReadFailure, Reader } from "../../model/reader.ts";
import { buildResourcePath, buildSelectionPath } from "../../model/resource.ts";

type Result = Absence | ReadFailure | { readonly kind: string; readonly objects?: number; readonly bytes?: number };

/** Writes a line for each read that has ended: its API path, what came of it, and how long it took. */
export function createVerboseReader(reader: Reader, write: (line: string) => void): Reader {
  const time = async <T extends Result>(path: string, read: Promise<T>): Promise<T> => {
    const start = performance.now();
    const result = await read;
    write(`${path}: ${describeResult(result)}, ${((performance.now() - start) / 1000).toFixed(2)} s`);
    return result;
  };
  const { query, listSelected } = reader;
  return {
    ...(query && { query: (...asked) => time("a query of the cluster's monitoring", query(...asked)) }),
    get: (location, ...more) => {
      const { resource, namespace, name } = location;
      return time(buildResourcePath(resource, namespace, name), reader.get(location, ...more));
    },
    list: (resource, ...more) => time(buildResourcePath(resource), reader.list(resource, ...more)),
    ...(listSelected && {
      listSelected: (resource, selection, ...more) =>
        time(buildSelectionPath(resource, selection), listSelected(resource, selection, ...more)),
    }),
    raw: (path, ...more) => time(path, reader.raw(path, ...more)),
    forCycle: () => createVerboseReader(reader.forCycle?.() ?? reader, write),
  };
}

/** "63 requests in 5 rounds, 402 KiB on the wire (1644 KiB unpacked); 0.52 s of 1.80 s with requests under way". */
export function formatTraffic({ requests, rounds, wireBytes, bytes, busyMs, totalMs }: TrafficSummary): string {
  const [busy, total] = [busyMs, totalMs].map((milliseconds) => `${(milliseconds / 1000).toFixed(2)} s`);
  const unpacked = bytes === wireBytes ? "" : ` (${formatKib(bytes)} unpacked)`;
  const size = `${formatKib(wireBytes)} on the wire${unpacked}`;
  return `${formatCount(requests, "request")} in ${formatCount(rounds, "round")}, ${size}; ${busy} of ${total} with requests under way`;
}

function formatKib(bytes: number): string {
  return `${Math.ceil(bytes / 1024)} KiB`;
}

function describeResult(result: Result): string {
  if (result.kind === "failed") return `failed (${"reason" in result ? result.reason : "unknown"})`;
  if (result.kind === "absent") return "absent";
  const size = "bytes" in result ? `, ${formatKib(result.bytes ?? 0)}` : "";
  const objects = "objects" in result ? result.objects : undefined;
  return `${objects === undefined ? "found" : `${objects} ${objects === 1 ? "object" : "objects"}`}${size}`;
}
