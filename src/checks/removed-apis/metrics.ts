import { formatApi, parseRemovalMinor } from "./api.ts";
import { findRemoval } from "./removals.ts";
import type { ApiUsage } from "./api-usage.ts";

/** An API server sets it to 1 for every deprecated API that clients have requested since it started. */
const SAMPLES = "apiserver_requested_deprecated_apis{";
/** Every API server's metrics have this line; without it they are something else's. */
const PROOF = "# TYPE apiserver_request_total ";

export function isRelevantLine(line: string): boolean {
  return line.startsWith(SAMPLES) || line.startsWith(PROOF);
}

/** The deprecated APIs that clients requested from an API server. Throws if the text is not an API server's metrics. */
export function keepMetrics(text: string): readonly ApiUsage[] {
  const lines = text.split("\n");
  if (!lines.some((line) => line.startsWith(PROOF))) throw new Error("these are not the metrics of an API server");
  const usages = lines.filter((line) => line.startsWith(SAMPLES)).flatMap(parseUsage);
  return [...new Map(usages.map((usage) => [formatKey(usage), usage])).values()];
}

/** Subresources are counted apart, and are removed with their resource. */
function formatKey(usage: ApiUsage): string {
  return usage.kind === "odd" ? usage.message : formatApi(usage.api);
}

function parseUsage(line: string): readonly ApiUsage[] {
  const match = /^\w+\{(.*)\} (\S+)(?: \d+)?$/.exec(line);
  const labels = new Map(
    [...(match?.[1] ?? "").matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)].map(([, key, value]) => [key, value]),
  );
  const [group, version, resource] = [labels.get("group"), labels.get("version"), labels.get("resource")];
  const value = Number(match?.[2]);
  if (group === undefined || !version || !resource || Number.isNaN(value))
    return [buildOddUsage(`can't parse "${line}"`)];
  if (value === 0) return [];
  const api = { group, version, resource };
  const announcedRelease = labels.get("removed_release") ?? "";
  const minor = announcedRelease === "" ? findRemoval(api)?.kubernetes : parseRemovalMinor(announcedRelease);
  if (minor !== undefined) return [{ kind: "usage", api, minor, hasUnnamedClients: true, clients: [] }];
  return announcedRelease === ""
    ? []
    : [buildOddUsage(`"${announcedRelease}", the release that removes ${formatApi(api)}, is not a release`)];
}

function buildOddUsage(message: string): ApiUsage {
  return { kind: "odd", where: "/metrics", message };
}
