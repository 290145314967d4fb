import { type Context, type Judgement, defineCheck } from "../../model/check.ts";
import { type Get, type ReadResults, get } from "../../model/read.ts";
import { type MonitoringConfig, keepClusterConfig, keepUserWorkloadConfig } from "./monitoring-config.ts";
import { isStricter, judgeConfigs } from "./verdict.ts";
import { risks } from "./risks.ts";

type FollowUpReads = { readonly cluster?: Get<MonitoringConfig>; readonly userWorkload?: Get<MonitoringConfig> };

export default defineCheck({
  id: "monitoring-config",
  title: "The target's monitoring operator accepts the monitoring configuration",
  risks: Object.values(risks),
  applies: { kind: "updates", kinds: ["minor"] },
  reads: () => ({}),
  mayRead: buildConfigReads,
  follow: (_, context) => (isStricter(context) ? buildConfigReads() : {}),
  evaluate: (_, context, followed) => judge(followed, context),
});

function buildConfigReads(): Required<FollowUpReads> {
  return {
    cluster: get("v1/configmaps", "openshift-monitoring/cluster-monitoring-config", keepClusterConfig),
    userWorkload: get(
      "v1/configmaps",
      "openshift-user-workload-monitoring/user-workload-monitoring-config",
      keepUserWorkloadConfig,
    ),
  };
}

function judge({ cluster, userWorkload }: Partial<ReadResults<FollowUpReads>>, context: Context): Judgement {
  if (isStricter(context)) return judgeConfigs(cluster, userWorkload, context);
  const { source, target } = context;
  return {
    notApplicable: `No release after ${source.text} up to ${target.text} is stricter about the monitoring configuration.`,
  };
}
