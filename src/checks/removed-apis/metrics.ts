import { apiText, minorOf } from "./api.ts";
import { knownRemoval } from "./table.ts";
import type { Usage } from "./usage.ts";

/** Set to 1 by an API server for every deprecated API that it was asked for since it started. */
const SAMPLES = "apiserver_requested_deprecated_apis{";
/** What every API server's metrics have: without it these are something else's. */
const PROOF = "# TYPE apiserver_request_total ";

export function isWanted(line: string): boolean {
  return line.startsWith(SAMPLES) || line.startsWith(PROOF);
}

/** The deprecated APIs that an API server was asked for. Throws where the text is no API server's metrics. */
export function keepMetrics(text: string): readonly Usage[] {
  const lines = text.split("\n");
  if (!lines.some((line) => line.startsWith(PROOF))) throw new Error("these are not the metrics of an API server");
  const usages = lines.filter((line) => line.startsWith(SAMPLES)).flatMap(usageOf);
  return [...new Map(usages.map((usage) => [keyOf(usage), usage])).values()];
}

/** Subresources are counted apart, and go with their resource. */
function keyOf(usage: Usage): string {
  return usage.kind === "odd" ? usage.message : apiText(usage.api);
}

function usageOf(line: string): readonly Usage[] {
  const found = /^\w+\{(.*)\} (\S+)(?: \d+)?$/.exec(line);
  const labels = new Map(
    [...(found?.[1] ?? "").matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)].map(([, key, value]) => [key, value]),
  );
  const [group, version, resource] = [labels.get("group"), labels.get("version"), labels.get("resource")];
  const value = Number(found?.[2]);
  if (group === undefined || !version || !resource || Number.isNaN(value)) return [odd(`"${line}" is not understood`)];
  if (value === 0) return [];
  const api = { group, version, resource };
  const announced = labels.get("removed_release") ?? "";
  const minor = announced === "" ? knownRemoval(api)?.kubernetes : minorOf(announced);
  if (minor !== undefined) return [{ kind: "usage", api, minor, unnamed: true, clients: [] }];
  return announced === "" ? [] : [odd(`the release "${announced}" that removes ${apiText(api)} is none`)];
}

function odd(message: string): Usage {
  return { kind: "odd", where: "/metrics", message };
}
