import { getKnownCapabilities } from "../../model/capabilities.ts";
import type { Capabilities, ClusterFacts } from "../../model/release.ts";
import type { Crd } from "../../model/crd.ts";
import { type Json, compareText, textsAt } from "../../model/json.ts";
import type { Version } from "../../model/version.ts";

/**
 * The capabilities after the update. Known are those in the target's ClusterVersion CRD, which omits those whose feature gate is off;
 * without that CRD those of our own table, and for minors newer than the table those that the cluster knows.
 *
 * Capabilities that only the target knows count as enabled: the baseline vCurrent includes them, and with a fixed baseline the
 * cluster-version operator enables a capability if it already manages an object of it (GetImplicitlyEnabledCapabilities), so that a
 * component that becomes optional keeps running. A wholly new component can't be distinguished without the source's payload, so the
 * result may have one capability too many. A capability that the target does not know (rollback, another feature set) can't be enabled.
 */
export function computeCapabilities(
  target: Version,
  clusterVersion: Crd | undefined,
  facts: ClusterFacts,
): Capabilities {
  const known = selectKnownCapabilities(target, clusterVersion, facts).toSorted(compareText);
  const source = facts.capabilities;
  // Releases before 4.11 ran every component, and an update from them enables every capability.
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
