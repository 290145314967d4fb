import { byText } from "./json.ts";
import { minorPlace, parseMinor } from "./version.ts";

/** A minor version, or any full version of it. */
type Minor = { readonly major: number; readonly minor: number };

/** The cluster capabilities by the minor that brought them. None was ever removed. Source: the ClusterVersion types of openshift/api (config/v1). */
const ADDED: readonly (readonly [minor: string, names: readonly string[]])[] = [
  ["4.11", ["baremetal", "marketplace", "openshift-samples"]],
  ["4.12", ["Console", "CSISnapshot", "Insights", "Storage"]],
  ["4.13", ["NodeTuning"]],
  ["4.14", ["Build", "DeploymentConfig", "ImageRegistry", "MachineAPI"]],
  ["4.15", ["CloudCredential", "OperatorLifecycleManager"]],
  ["4.16", ["CloudControllerManager", "Ingress"]],
  ["4.18", ["OperatorLifecycleManagerV1"]],
];

/** Capabilities behind feature gates, from this minor on known in these feature sets only. Source as above. */
const GATED = {
  since: "4.23",
  featureSets: ["CustomNoUpgrade", "DevPreviewNoUpgrade", "TechPreviewNoUpgrade"],
  names: ["ClusterAPI", "CompatibilityRequirements"],
};

const [FIRST, NEWEST] = [place("4.11"), place("5.2")];
/** The last minor with a baseline set of its own name: v4.18. */
const LAST_NAMED_SET = 18;

/**
 * The capabilities that a release knows in a feature set ("" is Default), sorted. None before 4.11; undefined for a minor newer than this table.
 */
export function knownCapabilities(minor: Minor, featureSet: string): readonly string[] | undefined {
  const here = minorPlace(minor);
  if (here > NEWEST) return undefined;
  const always = ADDED.filter(([since]) => place(since) <= here).flatMap(([, names]) => names);
  const gated = here >= place(GATED.since) && GATED.featureSets.includes(featureSet) ? GATED.names : [];
  return [...always, ...gated].toSorted(byText);
}

/**
 * The values that a release accepts as spec.capabilities.baselineCapabilitySet, in the API's order. None before 4.11; undefined for a minor newer
 * than this table.
 */
export function baselineSets(minor: Minor): readonly string[] | undefined {
  const here = minorPlace(minor);
  if (here > NEWEST) return undefined;
  if (here < FIRST) return [];
  const count = Math.min(here, LAST_NAMED_SET) - FIRST + 1;
  return ["None", ...Array.from({ length: count }, (_, i) => `v4.${FIRST + i}`), "vCurrent"];
}

function place(text: string): number {
  const minor = parseMinor(text);
  if (!minor) throw new Error(`${text} is no minor version`);
  return minorPlace(minor);
}
