import type { Check } from "../../src/model/check.ts";
import type { JsonObject } from "../../src/model/json.ts";
import type { Release } from "../../src/model/release.ts";
import { parseVersion, type Version } from "../../src/model/version.ts";
import { buildOperator, OPERATOR } from "../../src/cases/cluster.ts";

export const VERSION_PATH = "/apis/config.openshift.io/v1/clusterversions/version";

export function version(text: string): Version {
  const parsed = parseVersion(text);
  if (!parsed) throw new Error(`${text} is no version`);
  return parsed;
}

/** A cluster of which only the release is known. The operator runs in it. */
export function clusterRunning(text: string): Readonly<Record<string, JsonObject>> {
  const status = { history: [{ state: "Completed", version: text }], desired: { version: text } };
  return {
    [VERSION_PATH]: object("config.openshift.io/v1", "ClusterVersion", "version", { status }),
    [OPERATOR]: buildOperator(),
  };
}

export function object(apiVersion: string, kind: string, name: string, more: JsonObject = {}): JsonObject {
  return { apiVersion, kind, metadata: { name }, ...more };
}

export function release(text: string, more: Partial<Release> = {}): Release {
  return {
    version: version(text),
    digest: "sha256:0",
    manifests: [],
    deleted: [],
    crds: [],
    crdFiles: new Map(),
    capabilities: { known: [], enabled: [], implicit: [] },
    featureGates: [],
    problems: [],
    ...more,
  };
}

/** A check that reads and finds nothing, except for the given fields. */
export function checkWith(more: Partial<Check> & { readonly id: string }): Check {
  return {
    name: more.id,
    title: `title of ${more.id}`,
    risks: [
      {
        name: "ThingBroken",
        effect: "broken",
        title: "A broken thing",
        url: "https://example.com/broken",
        describe: (objects) => `${objects} will break.`,
        remediation: "Repair it.",
      },
    ],
    applies: { kind: "updates", kinds: ["patch", "minor", "rollback"] },
    reads: () => ({}),
    evaluate: () => ({}),
    ...more,
  };
}
