import type { Context, Unknown } from "../../model/check.ts";
import { formatChecksFlags } from "../../model/site-checks.ts";
import { quoteArgument } from "../../model/commands.ts";
import { MAX_NAMED, sortNames } from "../../model/names.ts";
import { isUngranted } from "../../model/ungranted.ts";
import type { CheckOrigin } from "../../model/check-origin.ts";
import type { UncheckedReason, UnknownReason } from "../../model/unknown-reason.ts";

const READABLE = "Make these readable and run preflight again, or check them by hand before updating.";
const REPEATED = "Run preflight again, or check these by hand before updating.";
const BY_HAND = "Check these by hand before updating.";
const NEWER_PREFLIGHT = "Use a newer preflight that knows these, or check them by hand before updating.";
const WHOLE_TARGET = "Give the whole target release with --target, or check these by hand before updating.";
const INTACT_TARGET =
  "Give an intact copy of the target release, or correct its manifests, and run preflight again, or check these by hand before updating.";

/** What completes a check, by the reason for which it is incomplete; in the order of importance. */
const REMEDIES: Readonly<
  Record<Exclude<UnknownReason, UncheckedReason>, string | ((context: Context, origin?: CheckOrigin) => string)>
> = {
  Forbidden: ({ platform, target }, origin) =>
    `Grant the rights that "preflight rbac${formatChecksFlags([origin])}${platform === "openshift" ? "" : ` --target-version v1.${target.minor}`}" prints, or check these by hand before updating.`,
  Unauthorized: "Renew the credentials and run preflight again, or check these by hand before updating.",
  TimedOut: READABLE,
  Unreachable: READABLE,
  ServerError: READABLE,
  NoTargetCrds: WHOLE_TARGET,
  NoTargetFolder: WHOLE_TARGET,
  Absent: INTACT_TARGET,
  DuplicateManifest: INTACT_TARGET,
  FeatureGatesUnknown: INTACT_TARGET,
  InvalidAnnotation: INTACT_TARGET,
  InvalidManifest: INTACT_TARGET,
  InvalidYaml: INTACT_TARGET,
  NotAFile: INTACT_TARGET,
  OutsideFolder: INTACT_TARGET,
  Unreadable: INTACT_TARGET,
  UnrenderedTemplate: INTACT_TARGET,
  SignatureNotVerified:
    'Bring the signature into the cluster ("oc adm release mirror --apply-release-image-signature", or oc-mirror) or name its folder with --signature-store, and run preflight again.',
  LimitUnknown: NEWER_PREFLIGHT,
  TargetUnknown: "Use a newer preflight that knows the release, or read its release notes before updating.",
  UnknownFeatureSet: NEWER_PREFLIGHT,
  NotUnderstood:
    "If something in these is wrong, correct it and run preflight again. Otherwise check them by hand before updating.",
  Incomplete:
    "Run preflight again without the proxy before the API server, or on a new recording or must-gather. Otherwise check these by hand before updating.",
  NotFound: "Find out why these are missing and run preflight again, or check them by hand before updating.",
  NotServed: "Find out why the API server does not serve these, or check by hand before updating what they would show.",
  NotReported:
    "Find out why their state is not reported, and run preflight again once it is, or check them by hand before updating.",
  StaleStatus:
    "Run preflight again in a minute. If that doesn't help, make sure that kube-controller-manager runs, or check these by hand before updating.",
  RolloutIncomplete: "Wait until the rollout is complete, and run preflight again.",
  OutOfMemory:
    "Give preflight more memory (NODE_OPTIONS=--max-old-space-size=MIB, or the memory limit of its container), or check these by hand before updating.",
  Cancelled: REPEATED,
  NotRead: REPEATED,
  NotRecorded: "Check these on the cluster itself before updating, since what was gathered from it does not show them.",
  CheckInvalid:
    'Correct the check ("preflight checks lint" says where), or check by hand before updating what it is about.',
  DigestMismatch:
    "Find out who changed these: reinstalling the operator brings its own back. Otherwise check them by hand before updating.",
  ReadNotAllowed: (_, origin) =>
    `To let the check read these, write "checks: [{origin: ${formatGrantee(origin)}, reads: [...]}]" to the file of --config, or check them by hand before updating.`,
  CheckFailed: BY_HAND,
  CostLimit: BY_HAND,
  DefinitionNotJudged: BY_HAND,
  PlatformNotCovered: BY_HAND,
  RuleNotEvaluated: BY_HAND,
  TooLarge: BY_HAND,
  TooManyObjects: BY_HAND,
};

/** Whom the configuration grants a read: an operator. */
function formatGrantee(origin: CheckOrigin | undefined): string {
  return `olm/${origin?.kind === "operator" ? origin.package : "PACKAGE"}`;
}

function formatUngrantedRemedy(ungranted: readonly Unknown[]): string {
  const kinds = sortNames(ungranted.map(({ where }) => where));
  const resource = kinds.length > MAX_NAMED ? "KIND.GROUP" : quoteArgument(kinds.join(","));
  return `Let the account list these kinds ("kubectl create clusterrole NAME --verb=list --resource=${resource}", and a binding), or look yourself whether they have objects.`;
}

/** The remedies of what left a check incomplete: each once. */
export function formatRemedies(unknowns: readonly Unknown[], context: Context, origin?: CheckOrigin): string {
  const ungranted = unknowns.filter(isUngranted);
  const others = formatReasons(
    unknowns.filter((unknown) => !isUngranted(unknown)),
    context,
    origin,
  );
  return [...others, ...(ungranted.length > 0 ? [formatUngrantedRemedy(ungranted)] : [])].join(" ");
}

function formatReasons(
  unknowns: readonly Unknown[],
  context: Context,
  origin: CheckOrigin | undefined,
): readonly string[] {
  const reasons = new Set<string>(unknowns.map(({ reason }) => reason));
  const remedies = Object.entries(REMEDIES).flatMap(([reason, remedy]) => {
    if (!reasons.has(reason)) return [];
    return typeof remedy === "string" ? remedy : remedy(context, origin);
  });
  return [...new Set(remedies)];
}
