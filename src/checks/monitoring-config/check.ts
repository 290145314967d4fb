import { type Context, type Judgement, defineCheck } from "../../model/check.ts";
import { type Get, type Values, get } from "../../model/read.ts";
import { type Config, keepCluster, keepUserWorkload } from "./config.ts";
import { isStricter, judgeConfigs } from "./judge.ts";
import { alertmanagerV1, keysRefused } from "./risks.ts";

type Followed = { readonly cluster?: Get<Config>; readonly userWorkload?: Get<Config> };

export default defineCheck<Readonly<Record<never, never>>, Followed>({
  id: "monitoring-config",
  name: "MonitoringConfig",
  title: "The target's monitoring operator accepts the monitoring configuration",
  risks: [alertmanagerV1, keysRefused],
  applies: { kind: "updates", kinds: ["minor"] },
  needsManifests: false,
  reads: () => ({}),
  mayRead: configReads,
  follow: (_, context) => (isStricter(context) ? configReads() : {}),
  evaluate: (_, context, followed) => judge(followed, context),
});

function configReads(): Required<Followed> {
  return {
    cluster: get("v1/configmaps", "openshift-monitoring/cluster-monitoring-config", keepCluster),
    userWorkload: get(
      "v1/configmaps",
      "openshift-user-workload-monitoring/user-workload-monitoring-config",
      keepUserWorkload,
    ),
  };
}

function judge({ cluster, userWorkload }: Partial<Values<Followed>>, context: Context): Judgement {
  if (isStricter(context)) return judgeConfigs(cluster, userWorkload, context);
  const { source, target } = context;
  return { notApplicable: `No release from ${source.text} to ${target.text} is stricter about the configuration.` };
}
