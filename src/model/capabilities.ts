import { compareText } from "./json.ts";
import { getMinorOrdinal, LAST_KNOWN_RELEASE, type MinorVersion, parseMinorOrdinal } from "./version.ts";

/** Cluster capabilities by the minor that added them; none was ever removed. Source: the ClusterVersion types of openshift/api (config/v1). */
const ADDED_BY_MINOR: readonly (readonly [minor: string, names: readonly string[]])[] = [
  ["4.11", ["baremetal", "marketplace", "openshift-samples"]],
  ["4.12", ["Console", "CSISnapshot", "Insights", "Storage"]],
  ["4.13", ["NodeTuning"]],
  ["4.14", ["Build", "DeploymentConfig", "ImageRegistry", "MachineAPI"]],
  ["4.15", ["CloudCredential", "OperatorLifecycleManager"]],
  ["4.16", ["CloudControllerManager", "Ingress"]],
  ["4.18", ["OperatorLifecycleManagerV1"]],
];

/** Capabilities behind feature gates, which exist since this minor and in these feature sets only. Source as above. */
const GATED_CAPABILITIES = {
  since: "4.23",
  featureSets: ["CustomNoUpgrade", "DevPreviewNoUpgrade", "TechPreviewNoUpgrade"],
  names: ["ClusterAPI", "CompatibilityRequirements"],
};

const FIRST_ORDINAL = parseMinorOrdinal("4.11");
const NEWEST_ORDINAL = getMinorOrdinal(LAST_KNOWN_RELEASE);
/** The last minor with a baseline set of its own name: v4.18. */
const LAST_NAMED_SET = 18;

/**
 * The capabilities that a release knows in a feature set ("" is Default), sorted. None before 4.11; undefined for a minor newer than this table.
 */
export function getKnownCapabilities(minor: MinorVersion, featureSet: string): readonly string[] | undefined {
  const ordinal = getMinorOrdinal(minor);
  if (ordinal > NEWEST_ORDINAL) return undefined;
  const always = ADDED_BY_MINOR.filter(([since]) => parseMinorOrdinal(since) <= ordinal).flatMap(([, names]) => names);
  const gated =
    ordinal >= parseMinorOrdinal(GATED_CAPABILITIES.since) && GATED_CAPABILITIES.featureSets.includes(featureSet)
      ? GATED_CAPABILITIES.names
      : [];
  return [...always, ...gated].toSorted(compareText);
}

/**
 * The values that a release accepts as spec.capabilities.baselineCapabilitySet, in the API's order. None before 4.11; undefined for a minor newer
 * than this table.
 */
export function getBaselineSets(minor: MinorVersion): readonly string[] | undefined {
  const ordinal = getMinorOrdinal(minor);
  if (ordinal > NEWEST_ORDINAL) return undefined;
  if (ordinal < FIRST_ORDINAL) return [];
  const count = Math.min(ordinal, LAST_NAMED_SET) - FIRST_ORDINAL + 1;
  return ["None", ...Array.from({ length: count }, (_, i) => `v4.${FIRST_ORDINAL + i}`), "vCurrent"];
}
