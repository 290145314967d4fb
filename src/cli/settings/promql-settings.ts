import type { Settings, ValuesOf } from "./command.ts";

export const promqlSettings = {
  promql: {
    env: "PREFLIGHT_PROMQL",
    group: "cluster",
    isRepeated: true,
    choices: ["route", "service"],
    describe:
      "How to ask the cluster's monitoring about published risks that the cluster-version operator has not evaluated: over the Route of thanos-querier or, in the cluster, over its Service. The kubeconfig's or the pod's token is sent there",
    defaultText: "off",
  },
} as const satisfies Settings;

export type PromqlValues = ValuesOf<typeof promqlSettings>;
