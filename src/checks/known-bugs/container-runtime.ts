import type { EachPredicate, Predicate } from "./known-bug.ts";

const GROUP = "machineconfiguration.openshift.io/v1";
const MACHINE_CONFIGS = `${GROUP}/machineconfigs`;

/** Since 4.18 crun is the default. In a cluster updated from 4.17, machine configs of its pools keep runc unless they are deleted. */
const WAS_AT_4_18: Predicate = { completed: { from: "4.18.0-0" } };
const KEEPS_RUNC = "00-override-worker-generated-crio-default-container-runtime";

/** CRI-O's configuration from somebody other than the operator: encoded, so the check can't tell which runtime it names. */
const CONFIGURED_OTHERWISE: EachPredicate = {
  each: MACHINE_CONFIGS,
  where: {
    allOf: [
      { at: "spec.config.storage.files[].path", matches: "^/etc/crio/crio[.]conf" },
      { at: 'metadata.annotations."machineconfiguration.openshift.io/generated-by-controller-version"', is: "absent" },
    ],
  },
  unnamed: true,
};

/** The runtime of a hosted cluster's nodes is configured outside the cluster. */
const NOT_VISIBLE: readonly Predicate[] = [{ hosted: true }, CONFIGURED_OTHERWISE];

function buildRuntimePredicate(runtime: "crun" | "runc"): Predicate {
  return {
    each: `${GROUP}/containerruntimeconfigs`,
    where: { at: "spec.containerRuntimeConfig.defaultRuntime", equals: runtime },
    unnamed: true,
  };
}

/** Pools with nodes that no ContainerRuntimeConfig with crun selects: its selector names none of their labels. */
const POOL_WITHOUT_CRUN: Predicate = {
  dangling: {
    each: `${GROUP}/machineconfigpools`,
    where: { not: { at: "status.machineCount", equals: 0 } },
    unnamed: true,
  },
  names: "metadata.labels[keys]",
  all: true,
  missingIn: {
    each: `${GROUP}/containerruntimeconfigs`,
    where: { at: "spec.containerRuntimeConfig.defaultRuntime", equals: "crun" },
    at: "spec.machineConfigPoolSelector.matchLabels[keys]",
  },
};

/** Do nodes use runc, or may they? */
export const RUNC_MAY_RUN: Predicate = {
  anyOf: [
    { allOf: [{ not: WAS_AT_4_18 }, POOL_WITHOUT_CRUN] },
    {
      each: MACHINE_CONFIGS,
      where: { at: "metadata.name", matches: "^00-override-.+-generated-crio-default-container-runtime$" },
      unnamed: true,
    },
    buildRuntimePredicate("runc"),
    ...NOT_VISIBLE,
  ],
};

/** Do workers use crun once they are at 4.18, or may they? */
export const CRUN_MAY_RUN: Predicate = {
  anyOf: [
    { allOf: [WAS_AT_4_18, { not: { get: MACHINE_CONFIGS, name: KEEPS_RUNC } }] },
    buildRuntimePredicate("crun"),
    ...NOT_VISIBLE,
  ],
};
