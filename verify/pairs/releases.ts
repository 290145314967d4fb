import { execFileSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { getKnownCapabilities } from "../../src/model/capabilities.ts";
import type { Release } from "../../src/model/release.ts";
import { compareVersions, formatMinor, getMinorOrdinal, parseMinor } from "../../src/model/version.ts";
import type { Payload } from "../../src/release/payload/payload.ts";
import { readPayload } from "../../src/release/payload/payload-reader.ts";
import { selectRelease } from "../../src/release/payload/release-selection.ts";
import { withTemporaryFolder } from "../shared/temporary-folder.ts";

/** The compared feature sets, each with the first minor whose FeatureGate definition has it. */
export const FEATURE_SETS: ReadonlyMap<string, string> = new Map([
  ["Default", "4.12"],
  ["TechPreviewNoUpgrade", "4.12"],
  ["DevPreviewNoUpgrade", "4.16"],
  ["CustomNoUpgrade", "4.12"],
  ["OKD", "4.22"],
]);

/** The release as it applies to a self-managed cluster with every capability, by feature set. */
export type ReleaseByFeatureSet = { readonly minor: string; readonly sets: ReadonlyMap<string, Release> };

/** Reads all releases below `shared`/crds, laid out as payloads in a temporary folder, in the order of their versions. */
export async function readReleases(shared: string): Promise<readonly ReleaseByFeatureSet[]> {
  const minors = readdirSync(join(shared, "crds")).filter((name) => parseMinor(name) !== undefined);
  const payloads = await withTemporaryFolder("pairs", async (folder) => {
    const read: Payload[] = [];
    for (const minor of minors) read.push(await layOutPayload(shared, minor, join(folder, minor)));
    return read.toSorted((a, b) => compareVersions(a.version, b.version));
  });
  return payloads.map((payload) => ({ minor: formatMinor(payload.version), sets: selectByFeatureSet(payload) }));
}

/** Makes a folder of a release's CRDs and gates, with the first version of its minor. */
async function layOutPayload(shared: string, minor: string, folder: string): Promise<Payload> {
  execFileSync("bash", [join(shared, "envtest/payload.sh"), minor, `${minor}.0`, folder]);
  const result = await readPayload(folder);
  if (result.kind === "failed") throw new Error(`reading ${minor}: ${result.failure.message}`);
  const [problem] = result.payload.problems;
  if (problem) throw new Error(`reading ${minor}: ${problem.message}`);
  return result.payload;
}

function selectByFeatureSet(payload: Payload): ReadonlyMap<string, Release> {
  const known = [...FEATURE_SETS].filter(([set, since]) => hasFeatureSet(payload, set, since));
  return new Map(known.map(([set]) => [set, selectForFeatureSet(payload, set)]));
}

/** Each cluster chooses the gates of CustomNoUpgrade, so it is omitted if a manifest depends on gates. */
function hasFeatureSet(payload: Payload, featureSet: string, since: string): boolean {
  const first = parseMinor(since);
  if (first === undefined || getMinorOrdinal(payload.version) < getMinorOrdinal(first)) return false;
  return (
    featureSet !== "CustomNoUpgrade" || !payload.manifests.some(({ annotations }) => annotations.has(GATE_ANNOTATION))
  );
}

const GATE_ANNOTATION = "release.openshift.io/feature-gate";

function selectForFeatureSet(payload: Payload, featureSet: string): Release {
  const set = featureSet === "Default" ? "" : featureSet;
  const known = getKnownCapabilities(payload.version, set) ?? [];
  return selectRelease(payload, {
    version: payload.version,
    profile: "self-managed-high-availability",
    featureSet: set,
    customGates: { enabled: [], disabled: [] },
    capabilities: { known, enabled: known },
    overrides: [],
  });
}
