import { type Blind, type Context, type Judgement, defineCheck } from "../../model/check.ts";
import { type Get, type Got, get } from "../../model/read.ts";
import { leavesMinor, minorText } from "../../model/version.ts";
import { annotationText, standingOf } from "./annotation.ts";
import { CLOUD_CREDENTIAL, type Config, keepConfig, keepDisabled } from "./config.ts";
import { type Infrastructure, hasCredentials, isHostedWithout, keepInfrastructure, rootSecret } from "./platform.ts";
import { notPrepared, preparedShort } from "./risks.ts";

type Reads = { readonly config: Get<Config>; readonly infrastructure: Get<Infrastructure> };
type Followed = { readonly disabled?: Get<boolean> };

export default defineCheck<Reads, Followed>({
  id: "cloud-credentials",
  name: "CloudCredentialsUnprepared",
  title: "Cloud credentials that are kept by hand are ready for the target",
  risks: [notPrepared, preparedShort],
  applies: { kind: "updates", kinds: ["patch", "minor"] },
  needsManifests: false,
  reads: () => ({
    config: get("operator.openshift.io/v1/cloudcredentials", "cluster", keepConfig),
    infrastructure: get("config.openshift.io/v1/infrastructures", "cluster", keepInfrastructure),
  }),
  mayRead: legacyRead,
  follow: ({ config, infrastructure }, context) =>
    whyNot(config, infrastructure, context) === undefined && asksLegacy(config, infrastructure) ? legacyRead() : {},
  evaluate: ({ config, infrastructure }, context, { disabled }) => {
    const why = whyNot(config, infrastructure, context);
    if (why !== undefined) return { notApplicable: why };
    if (config.kind !== "found") return {};
    if (infrastructure.kind !== "found" || infrastructure.value.platform === "") return { blind: [noPlatform()] };
    return judge(withLegacy(config.value, disabled), infrastructure.value.platform, context);
  },
});

function legacyRead(): Required<Followed> {
  const where = "openshift-cloud-credential-operator/cloud-credential-operator-config";
  return { disabled: get("v1/configmaps", where, keepDisabled) };
}

function asksLegacy(config: Got<Config>, infrastructure: Got<Infrastructure>): boolean {
  if (config.kind === "absent" || infrastructure.kind === "absent") return false;
  return config.value.mode === "" && hasCredentials(infrastructure.value.platform);
}

function whyNot(config: Got<Config>, infrastructure: Got<Infrastructure>, context: Context): string | undefined {
  const { source } = context;
  if (!leavesMinor(context)) return `Updates within ${minorText(source)} ask for no preparation.`;
  if (config.kind === "absent") return "The cluster has no cloudcredentials.operator.openshift.io cluster.";
  if (infrastructure.kind === "found" && isHostedWithout(infrastructure.value, source))
    return `A hosted cluster of ${minorText(source)} on this platform has no cloud-credential-operator that asks.`;
  return undefined;
}

function withLegacy(config: Config, disabled: Got<boolean> | undefined): Config {
  return config.mode === "" && disabled?.kind === "found" && disabled.value ? { ...config, mode: "Manual" } : config;
}

function judge(config: Config, platform: string, { source, target }: Context): Judgement {
  if (config.mode === "unreadable") return { blind: [unknownMode()] };
  if (!hasCredentials(platform)) return {};
  const standing = standingOf(config.annotation, source, target);
  if (config.mode !== "Manual") return standing === "refused" ? {} : { notices: uncheckedRoot(platform) };
  if (standing === "enough") return {};
  const risk = standing === "refused" ? notPrepared.name : preparedShort.name;
  const annotation = annotationText(config.annotation);
  const message = `The cloud credentials are kept by hand, and ${annotation}.`;
  return { findings: [{ risk, object: CLOUD_CREDENTIAL, message, detail: { annotation } }] };
}

/** The annotation makes the operator skip its look at the root Secret as well. */
function uncheckedRoot(platform: string): readonly string[] {
  const secret = rootSecret(platform);
  if (secret === undefined) return [];
  return [
    `CloudCredential cluster is annotated as ready although its credentials aren't kept by hand, so the cloud-credential-operator no longer looks whether it has its root credentials: make sure that there is a Secret kube-system/${secret}.`,
  ];
}

function unknownMode(): Blind {
  const where = "cloudcredentials.operator.openshift.io cluster spec.credentialsMode";
  return { reason: "NotUnderstood", where, message: "it is no mode that is known" };
}

function noPlatform(): Blind {
  const where = "infrastructures.config.openshift.io cluster status.platformStatus.type";
  return { reason: "NotFound", where, message: "the cluster doesn't say on which platform it runs" };
}
