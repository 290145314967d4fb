import data from "./capabilities.json" with { type: "json" };
import { compareText } from "./json.ts";
import { getMinorOrdinal, LAST_KNOWN_RELEASE, type MinorVersion, parseMinorOrdinal } from "./version.ts";

/** The cluster capabilities of all minors. None was ever removed. */
export type CapabilityTable = {
  readonly source: string;
  /** By the minor that added them. With `featureSets`, they are behind feature gates, and exist in these feature sets only. */
  readonly capabilities: readonly {
    readonly since: string;
    readonly featureSets?: readonly string[];
    readonly names: readonly string[];
  }[];
  /** The minors that added a baseline set of their own name: "4.11" added v4.11. */
  readonly namedSets: readonly string[];
};

export const CAPABILITIES: CapabilityTable = data;

/**
 * The capabilities that a release knows in a feature set ("" is Default), sorted. None before 4.11; undefined for a minor newer than this table.
 */
export function getKnownCapabilities(minor: MinorVersion, featureSet: string): readonly string[] | undefined {
  return isKnown(minor) ? selectCapabilities(CAPABILITIES, minor, featureSet) : undefined;
}

/**
 * The values that a release accepts as spec.capabilities.baselineCapabilitySet, in the API's order. None before 4.11; undefined for a minor newer
 * than this table.
 */
export function getBaselineSets(minor: MinorVersion): readonly string[] | undefined {
  return isKnown(minor) ? selectBaselineSets(CAPABILITIES, minor) : undefined;
}

function isKnown(minor: MinorVersion): boolean {
  return getMinorOrdinal(minor) <= getMinorOrdinal(LAST_KNOWN_RELEASE);
}

/** The same by any table, which is taken to hold for later minors too. */
export function selectCapabilities(
  { capabilities }: CapabilityTable,
  minor: MinorVersion,
  featureSet: string,
): readonly string[] {
  const names = capabilities
    .filter(({ since, featureSets }) => isSince(since, minor) && featureSets?.includes(featureSet) !== false)
    .flatMap((one) => one.names);
  return [...new Set(names)].toSorted(compareText);
}

export function selectBaselineSets({ namedSets }: CapabilityTable, minor: MinorVersion): readonly string[] {
  const named = namedSets.filter((since) => isSince(since, minor));
  return named.length === 0 ? [] : ["None", ...named.map((since) => `v${since}`), "vCurrent"];
}

function isSince(since: string, minor: MinorVersion): boolean {
  return parseMinorOrdinal(since) <= getMinorOrdinal(minor);
}
