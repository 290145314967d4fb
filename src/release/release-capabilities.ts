import { getKnownCapabilities } from "../model/capabilities.ts";
import type { Crd } from "../model/crd.ts";
import { type Json, compareText, textsAt } from "../model/json.ts";
import type { Capabilities, ClusterFacts } from "../model/release.ts";
import type { Version } from "../model/version.ts";

/**
 * The capabilities after the update. Known is what the target's ClusterVersion CRD lists, which leaves out those whose feature gate is off; without that
 * CRD our own table, and past its end what the cluster knows.
 *
 * What only the target knows will be enabled: a baseline vCurrent asks for it, and of a fixed baseline the cluster-version operator
 * enables a capability that an object it manages already now belongs to (GetImplicitlyEnabledCapabilities), so that a part that ran before it
 * became optional stays. Telling the two apart, or a wholly new part, needs the source's payload: this may say one too many. A capability
 * that the target doesn't know (rollback, another feature set) can't be enabled.
 */
export function computeCapabilities(
  target: Version,
  clusterVersion: Crd | undefined,
  facts: ClusterFacts,
): Capabilities {
  const known = selectKnownCapabilities(target, clusterVersion, facts).toSorted(compareText);
  const source = facts.capabilities;
  // Releases before 4.11 ran every part, and their update asks for every capability.
  if (source.known.length === 0) return { known, enabled: known, implicit: [] };
  const implicit = known.filter((name) => !source.known.includes(name));
  const enabled = known.filter((name) => source.enabled.includes(name) || implicit.includes(name));
  return { known, enabled, implicit };
}

function selectKnownCapabilities(
  target: Version,
  clusterVersion: Crd | undefined,
  facts: ClusterFacts,
): readonly string[] {
  if (clusterVersion) return parseKnownCapabilities(clusterVersion);
  return getKnownCapabilities(target, facts.featureSet) ?? facts.capabilities.known;
}

function parseKnownCapabilities(crd: Crd): readonly string[] {
  const schema = crd.versions.find((version) => version.storage)?.schema;
  if (!schema) return [];
  const parsed: Json = JSON.parse(schema);
  const status = ["properties", "status", "properties", "capabilities", "properties"];
  return textsAt(parsed, ...status, "knownCapabilities", "items", "enum");
}
