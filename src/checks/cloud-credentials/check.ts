import { type Unknown, type Context, type Judgement, defineCheck } from "../../model/check.ts";
import { type Get, type GetResult, get, withAnnotations } from "../../model/read.ts";
import { leavesMinor, formatMinor } from "../../model/version.ts";
import {
  CLOUD_CREDENTIAL,
  type CredentialsConfig,
  keepCredentialsConfig,
  keepLegacyDisabled,
  ANNOTATION,
  formatAnnotation,
  judgeAnnotation,
  type Infrastructure,
  hasCredentials,
  isHostedWithoutOperator,
  keepInfrastructure,
  ROOT_SECRETS,
} from "./credentials-config.ts";
import { risks } from "./risks.ts";

type FirstReads = { readonly config: Get<CredentialsConfig>; readonly infrastructure: Get<Infrastructure> };
type FollowUpReads = { readonly disabled?: Get<boolean> };

export default defineCheck<FirstReads, FollowUpReads>({
  id: "cloud-credentials",
  name: "CloudCredentialsUnprepared",
  title: "Manually managed cloud credentials are ready for the target",
  risks: Object.values(risks),
  applies: { kind: "updates", kinds: ["patch", "minor"] },
  reads: () => ({
    config: withAnnotations(
      [ANNOTATION],
      get("operator.openshift.io/v1/cloudcredentials", "cluster", keepCredentialsConfig),
    ),
    infrastructure: get("config.openshift.io/v1/infrastructures", "cluster", keepInfrastructure),
  }),
  mayRead: buildLegacyRead,
  follow: ({ config, infrastructure }, context) =>
    findReasonNotApplicable(config, infrastructure, context) === undefined && needsLegacyConfig(config, infrastructure)
      ? buildLegacyRead()
      : {},
  evaluate: ({ config, infrastructure }, context, { disabled }) => {
    const reason = findReasonNotApplicable(config, infrastructure, context);
    if (reason !== undefined) return { notApplicable: reason };
    if (config.kind !== "found") return {};
    if (infrastructure.kind !== "found" || infrastructure.value.platform === "")
      return { unknowns: [buildPlatformUnknown()] };
    if (disabled === undefined && needsLegacyConfig(config, infrastructure)) return {};
    return judge(applyLegacyConfig(config.value, disabled), infrastructure.value.platform, context);
  },
});

function buildLegacyRead(): Required<FollowUpReads> {
  const where = "openshift-cloud-credential-operator/cloud-credential-operator-config";
  return { disabled: get("v1/configmaps", where, keepLegacyDisabled) };
}

function needsLegacyConfig(config: GetResult<CredentialsConfig>, infrastructure: GetResult<Infrastructure>): boolean {
  if (config.kind === "absent" || infrastructure.kind === "absent") return false;
  return config.value.mode === "" && hasCredentials(infrastructure.value.platform);
}

function findReasonNotApplicable(
  config: GetResult<CredentialsConfig>,
  infrastructure: GetResult<Infrastructure>,
  context: Context,
): string | undefined {
  const { source } = context;
  if (!leavesMinor(context)) return `Updates within ${formatMinor(source)} require no new cloud credentials.`;
  if (config.kind === "absent") return "The cluster has no cloudcredentials.operator.openshift.io cluster.";
  if (infrastructure.kind === "found" && isHostedWithoutOperator(infrastructure.value, source))
    return `A hosted cluster of ${formatMinor(source)} on this platform has no cloud-credential-operator that checks the credentials.`;
  return undefined;
}

function applyLegacyConfig(config: CredentialsConfig, disabled: GetResult<boolean> | undefined): CredentialsConfig {
  return config.mode === "" && disabled?.kind === "found" && disabled.value ? { ...config, mode: "Manual" } : config;
}

function judge(config: CredentialsConfig, platform: string, { source, target }: Context): Judgement {
  if (config.mode === "unreadable") return { unknowns: [buildModeUnknown()] };
  if (!hasCredentials(platform)) return {};
  const verdict = judgeAnnotation(config.annotation, source, target);
  if (config.mode !== "Manual") return verdict === "refused" ? {} : { notices: buildUncheckedRootNotices(platform) };
  if (verdict === "enough") return {};
  const risk =
    verdict === "refused"
      ? risks.CloudCredentialsNotPrepared.name
      : risks.CloudCredentialsPreparedForEarlierRelease.name;
  const annotation = formatAnnotation(config.annotation);
  const message = `The cloud credentials are managed manually, and ${annotation}.`;
  return { findings: [{ risk, object: CLOUD_CREDENTIAL, message, detail: { annotation } }] };
}

/** The annotation also makes the operator skip its check of the root Secret. */
function buildUncheckedRootNotices(platform: string): readonly string[] {
  const secret = ROOT_SECRETS.get(platform);
  if (secret === undefined) return [];
  return [
    `CloudCredential cluster is annotated as ready although its credentials are not managed manually, so the cloud-credential-operator no longer checks that its root credentials exist. Check that Secret kube-system/${secret} exists before updating.`,
  ];
}

function buildModeUnknown(): Unknown {
  const where = "cloudcredentials.operator.openshift.io cluster spec.credentialsMode";
  return { reason: "NotUnderstood", where, message: "it is not a known mode" };
}

function buildPlatformUnknown(): Unknown {
  const where = "infrastructures.config.openshift.io cluster status.platformStatus.type";
  return { reason: "NotFound", where, message: "the cluster does not report its platform" };
}
