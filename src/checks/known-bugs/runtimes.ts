import type { EachPredicate, Predicate } from "./known-bug.ts";

const GROUP = "machineconfiguration.openshift.io/v1";
const MACHINE_CONFIGS = `${GROUP}/machineconfigs`;

/** Since 4.18 crun is the default; a cluster that came from 4.17 keeps runc by machine configs of its pools, unless they are deleted. */
const WAS_AT_4_18: Predicate = { completed: { from: "4.18.0-0" } };
const KEEPS_RUNC = "00-override-worker-generated-crio-default-container-runtime";

/** CRI-O's configuration, written by another than the operator: packed, so that nobody can say which runtime it names. */
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

/** What nodes of a hosted cluster run is configured elsewhere. */
const NOT_VISIBLE: readonly Predicate[] = [{ hosted: true }, CONFIGURED_OTHERWISE];

function buildRuntimePredicate(runtime: "crun" | "runc"): Predicate {
  return {
    each: `${GROUP}/containerruntimeconfigs`,
    where: { at: "spec.containerRuntimeConfig.defaultRuntime", equals: runtime },
    unnamed: true,
  };
}

/** Is runc the runtime of nodes, or may it be? */
export const RUNC_MAY_RUN: Predicate = {
  anyOf: [
    { not: WAS_AT_4_18 },
    {
      each: MACHINE_CONFIGS,
      where: { at: "metadata.name", matches: "^00-override-.+-generated-crio-default-container-runtime$" },
      unnamed: true,
    },
    buildRuntimePredicate("runc"),
    ...NOT_VISIBLE,
  ],
};

/** Is crun the runtime of workers once they are at 4.18, or may it be? */
export const CRUN_MAY_RUN: Predicate = {
  anyOf: [
    { allOf: [WAS_AT_4_18, { not: { get: MACHINE_CONFIGS, name: KEEPS_RUNC } }] },
    buildRuntimePredicate("crun"),
    ...NOT_VISIBLE,
  ],
};
