import { sortNames } from "../../model/names.ts";
import { type Api, formatApi, parseRemovalMinor } from "./api.ts";
import { type ApiUsage, buildOddUsage } from "./clients.ts";
import { findRemoval } from "./removals.ts";

/** An API server sets it to 1 for every deprecated API that clients have requested since it started. */
const SAMPLES = "apiserver_requested_deprecated_apis{";
/** Every API server's metrics have this line; without it they are something else's. */
const PROOF = "# TYPE apiserver_request_total ";
/** All requests by verb, of which only those in versions that may be removed matter. */
const REQUESTS = "apiserver_request_total{";
const REMOVABLE = /[{,]version="v\d+(?:alpha|beta)\d+"/;

export function isRelevantLine(line: string): boolean {
  return line.startsWith(SAMPLES) || line.startsWith(PROOF) || isRequestCount(line);
}

function isRequestCount(line: string): boolean {
  return line.startsWith(REQUESTS) && REMOVABLE.test(line);
}

/** The deprecated APIs that clients requested from an API server. Throws if the text is not an API server's metrics. */
export function keepMetrics(text: string): readonly ApiUsage[] {
  const lines = text.split("\n");
  if (!lines.some((line) => line.startsWith(PROOF))) throw new Error("these are not the metrics of an API server");
  const verbs = collectVerbs(lines.filter(isRequestCount));
  const usages = lines.filter((line) => line.startsWith(SAMPLES)).flatMap((line) => parseUsage(line, verbs));
  return [...new Map(usages.map((usage) => [formatKey(usage), usage])).values()];
}

/** Subresources are counted apart, and are removed with their resource. */
function formatKey(usage: ApiUsage): string {
  return usage.kind === "odd" ? usage.message : formatApi(usage.api);
}

type Sample = { readonly labels: ReadonlyMap<string | undefined, string | undefined>; readonly value: number };

function parseSample(line: string): Sample {
  const match = /^\w+\{(.*)\} (\S+)(?: \d+)?$/.exec(line);
  const labels = [...(match?.[1] ?? "").matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)];
  return { labels: new Map(labels.map(([, key, value]) => [key, value])), value: Number(match?.[2]) };
}

function parseApi({ labels }: Sample): Api | undefined {
  const group = labels.get("group");
  const version = labels.get("version");
  const resource = labels.get("resource");
  return group === undefined || !version || !resource ? undefined : { group, version, resource };
}

/** The verbs of the requests for each API, by its text. */
function collectVerbs(lines: readonly string[]): ReadonlyMap<string, ReadonlySet<string>> {
  const verbs = new Map<string, Set<string>>();
  for (const sample of lines.map(parseSample)) {
    const api = parseApi(sample);
    const verb = sample.labels.get("verb");
    if (api === undefined || !verb || sample.value === 0) continue;
    const known = verbs.get(formatApi(api)) ?? new Set();
    verbs.set(formatApi(api), known.add(verb));
  }
  return verbs;
}

function parseUsage(line: string, verbs: ReadonlyMap<string, ReadonlySet<string>>): readonly ApiUsage[] {
  const sample = parseSample(line);
  const { labels, value } = sample;
  const api = parseApi(sample);
  if (api === undefined || Number.isNaN(value)) return [buildOddUsage("/metrics", `can't parse "${line}"`)];
  if (value === 0) return [];
  const announcedRelease = labels.get("removed_release") ?? "";
  const minor = announcedRelease === "" ? findRemoval(api)?.removedIn.kubernetes : parseRemovalMinor(announcedRelease);
  if (minor !== undefined) {
    const unnamedVerbs = sortNames([...(verbs.get(formatApi(api)) ?? [])]);
    return [{ kind: "usage", api, minor, hasUnnamedClients: true, unnamedVerbs, clients: [] }];
  }
  const fault = `"${announcedRelease}", the release that removes ${formatApi(api)}, is not a release`;
  return announcedRelease === "" ? [] : [buildOddUsage("/metrics", fault)];
}
