import type { Unknown, Check, Context, Finding, RiskText } from "../../model/check.ts";
import { getRemediation, getUnknownRiskName, sortFindings } from "../../model/check.ts";
import { compareText } from "../../model/json.ts";
import { MAX_NAMED, summarizeNames, joinNames, sortNames } from "../../model/text.ts";
import type { Outcome, ReportRisk } from "../../model/report.ts";
import { buildRefKey, formatRef } from "../../model/resource.ts";
import { NAMESPACE_ANNOTATION } from "../../model/custom-kind.ts";
import {
  type CheckOrigin,
  attribute,
  formatGrantee,
  formatRightsFlags,
  type RightsHolder,
} from "../../model/check-origin.ts";
import { type Unseen, UNSEEN_URL, UNSEEN_RISK_TITLES, UNSEEN_RISKS, isPassing } from "../../model/unseen.ts";
import { isSetByHostedCluster } from "../../model/infrastructure.ts";
import { fitCommands } from "./fit-commands.ts";
import { type UnfinishedRisk, finishRisk } from "./redact-report.ts";
import { type HalfPlace, formatHalf } from "../../model/halves.ts";
import { quoteArgument } from "../../model/commands.ts";
import { toLine } from "../../model/visible-text.ts";
import { type UncheckedReason, type UnknownReason, isUngranted } from "../../model/unknown-reason.ts";

/** The page about unknown outcomes, for every check. */
export const UNKNOWN_URL = UNSEEN_URL;

export const KUBERNETES_UNKNOWN_URL = "https://kubernetes.io/docs/tasks/administer-cluster/cluster-upgrade/";

/** The risks of one check's outcome, sorted by name. */
export function buildRisks(check: Check, outcome: Outcome, context: Context): readonly ReportRisk[] {
  if (outcome.kind === "clear" || outcome.kind === "notApplicable") return [];
  const groups = Map.groupBy(outcome.findings, (finding) => finding.risk);
  const risks = check.risks.flatMap((risk) => {
    const findings = groups.get(risk.name) ?? [];
    return findings.length === 0 ? [] : [buildRisk(check, risk, findings, context)];
  });
  const unknowns = outcome.kind === "unknown" ? [buildUnknownRisk(check, outcome.unknowns, context)] : [];
  const place = findHalfPlace(check, context);
  const placed = [...risks, ...unknowns].map((risk) => ({
    ...risk,
    ...place,
    description: `${formatHalf(place.half)}${risk.description}`,
  }));
  return placed.map(finishRisk).toSorted((a, b) => compareText(a.name, b.name));
}

function buildRisk(check: Check, risk: RiskText, findings: readonly Finding[], context: Context): UnfinishedRisk {
  const remediation = `${getRemediation(risk, context, findings)}${formatHostedPlace(risk, findings, context)}`;
  return {
    name: risk.name,
    check: check.id,
    origin: check.origin,
    unknown: false,
    effect: risk.effect,
    leadTime: risk.leadTime ?? "minutes",
    title: risk.title,
    description: attribute(risk.describe(formatObjects(findings), context, findings), check.origin),
    remediation:
      check.origin === undefined ? fitCommands(remediation, context.platform, findings) : toLine(remediation),
    url: risk.url,
    published: risk.knownAs?.published,
  };
}

/** Where the objects are changed that HyperShift alone may change. */
function formatHostedPlace({ fix }: RiskText, findings: readonly Finding[], context: Context): string {
  if (!context.isHosted || fix === undefined) return "";
  const changed = findings.filter((one) => isSetByHostedCluster(one.object) && fix(one, context).length > 0);
  if (changed.length === 0) return "";
  const kinds = joinNames(sortNames(changed.map(({ object }) => object.kind)));
  return ` ${kinds} is set by the HostedCluster: make the change there, on the management cluster.`;
}

/** "A", "A and B", "A, B and C", "A, B, C and 4 more": the sorted objects of findings, each with its path. */
function formatObjects(findings: readonly Finding[]): string {
  const groups = groupByObject(sortFindings(findings), MAX_NAMED);
  return summarizeNames(groups.named.map(formatObject), groups.count);
}

/** The first `limit` objects of sorted findings and the number of all: without keys in memory for very many of them. */
function groupByObject(
  findings: readonly Finding[],
  limit: number,
): { readonly named: readonly (readonly Finding[])[]; readonly count: number } {
  const named: Finding[][] = [];
  let count = 0;
  let previous: string | undefined;
  for (const finding of findings) {
    const key = buildRefKey(finding.object);
    if (key !== previous) {
      count += 1;
      if (count <= limit) named.push([]);
    }
    if (count <= limit) named.at(-1)?.push(finding);
    previous = key;
  }
  return { named, count };
}

function formatObject(findings: readonly Finding[]): string {
  const [first] = findings;
  if (!first) return "";
  const paths = new Set(findings.flatMap((finding) => finding.path ?? []));
  if (first.path === undefined || paths.size === 0) return formatRef(first.object);
  const more = paths.size > 1 ? ` and ${paths.size - 1} more` : "";
  return `${formatRef(first.object)} (${first.path}${more})`;
}

function buildUnknownRisk(check: Check, unknowns: readonly Unknown[], context: Context): UnfinishedRisk {
  const objects = [...new Set(unknowns.map(formatUnknown))].toSorted(compareText);
  return {
    name: getUnknownRiskName(check),
    check: check.id,
    origin: check.origin,
    unknown: true,
    title: check.title,
    description: attribute(
      `The check "${check.title}" could not be completed: ${summarizeNames(objects)} could not be checked.`,
      check.origin,
    ),
    remediation: formatRemedies(unknowns, context, { origin: check.origin, subject: check.special?.subject }),
    url: getUnknownUrl(context),
  };
}

function getUnknownUrl({ platform }: Pick<Context, "platform">): string {
  return platform === "openshift" ? UNKNOWN_URL : KUBERNETES_UNKNOWN_URL;
}

export function formatUnknown({ where, message, reason }: Unknown): string {
  return `${where} (${message === "" ? reason : message.replace(/[.\s]+$/, "")})`;
}

/** The risks of what was not seen and no check reports. */
export function buildUnseenRisks(unseen: readonly Unseen[], context: Context): readonly ReportRisk[] {
  const open = unseen.filter(({ accepted }) => accepted === undefined);
  const ofRisk = (name: string): readonly Unseen[] => open.filter(({ risk }) => risk === name);
  return [
    ...buildLeftOutRisk(ofRisk(UNSEEN_RISKS.leftOut), context),
    ...ofRisk(UNSEEN_RISKS.minorsBetween).map((one) => buildMinorsRisk(one, context)),
    ...ofRisk(UNSEEN_RISKS.nothingChecked).map(() => buildNothingRisk(context)),
  ];
}

type UnseenTexts = Pick<ReportRisk, "description" | "remediation"> & { readonly name: keyof typeof UNSEEN_RISK_TITLES };

function buildUnseenRisk(texts: UnseenTexts, context: Context): ReportRisk {
  const message = `${texts.description} ${texts.remediation}`;
  return { ...texts, title: UNSEEN_RISK_TITLES[texts.name], message, unknown: true, url: getUnknownUrl(context) };
}

function buildLeftOutRisk(leftOut: readonly Unseen[], context: Context): readonly ReportRisk[] {
  if (leftOut.length === 0) return [];
  const ids = sortNames(leftOut.flatMap(({ check }) => check ?? []));
  const settings = sortNames(leftOut.map(({ unknown }) => unknown.where));
  const [noun, verb] = ids.length === 1 ? ["A check that applies", "was"] : ["Checks that apply", "were"];
  const texts = {
    name: UNSEEN_RISKS.leftOut,
    description: `${noun} to this update ${verb} left out (${joinNames(settings)}): ${ids.join(", ")}.`,
    remediation: formatLeftOutRemedy(leftOut, settings),
  };
  return [buildUnseenRisk(texts, context)];
}

function formatLeftOutRemedy(leftOut: readonly Unseen[], settings: readonly string[]): string {
  const remedy = `Run preflight without ${joinNames(settings)}`;
  const [id] = sortNames(leftOut.flatMap((one) => (isPassing(one) ? [] : (one.check ?? []))));
  if (id === undefined) return `${remedy}.`;
  return `${remedy}, or write down in the file of --config why a check is left out for good ("accept: [{check: ${id}, reason: ...}]").`;
}

function buildMinorsRisk({ unknown }: Unseen, context: Context): ReportRisk {
  const remediation = "Check and do these updates one after the other.";
  return buildUnseenRisk(
    { name: UNSEEN_RISKS.minorsBetween, description: `${unknown.message}.`, remediation },
    context,
  );
}

function buildNothingRisk(context: Context): ReportRisk {
  const texts = {
    name: UNSEEN_RISKS.nothingChecked,
    description: `None of the checks applies to the update from ${context.source.text} to ${context.target.text}, so nothing was checked.`,
    remediation: "Make sure that this is the right target, and read its release notes before updating.",
  };
  return buildUnseenRisk(texts, context);
}

const READABLE = "Make these readable and run preflight again, or check them by hand before updating.";
const REPEATED = "Run preflight again, or check these by hand before updating.";
const BY_HAND = "Check these by hand before updating.";
const NEWER_PREFLIGHT = "Use a newer preflight that knows these, or check them by hand before updating.";
const WHOLE_TARGET = "Give the whole target release with --target, or check these by hand before updating.";
const INTACT_TARGET =
  "Give an intact copy of the target release, or correct its manifests, and run preflight again, or check these by hand before updating.";

/** What completes a check, by the reason for which it is incomplete; in the order of importance. */
const REMEDIES: Readonly<
  Record<Exclude<UnknownReason, UncheckedReason>, string | ((context: Context, check: RightsHolder) => string)>
> = {
  Forbidden: ({ platform, target }, check) =>
    `Grant the rights that "preflight rbac${formatRightsFlags([check])}${platform === "openshift" ? "" : ` --target-version v1.${target.minor}`}" prints, or check these by hand before updating.`,
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
  ReleaseTooOld:
    "Read the release notes of the minors that the update brings, or run preflight again once the cluster is later than these.",
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
  PreflightTooOld: "Update preflight to the version that this needs, or check these by hand before updating.",
  DigestMismatch:
    "Find out who changed these: reinstalling the operator brings its own back. Otherwise check them by hand before updating.",
  ReadNotAllowed: (_, { origin }) =>
    `To let the check read these, write "checks: [{origin: ${formatGrantee(origin)}, reads: [...]}]" to the file of --config${formatAnnotateRemedy(origin)}, or check them by hand before updating.`,
  CheckFailed: BY_HAND,
  CostLimit: BY_HAND,
  DefinitionNotJudged: BY_HAND,
  PlatformNotCovered: BY_HAND,
  RuleNotEvaluated: BY_HAND,
  TooLarge: BY_HAND,
  TooManyObjects: BY_HAND,
};

/** Of kinds that a CRD defines. */
function formatAnnotateRemedy(origin: CheckOrigin | undefined): string {
  if (origin?.kind !== "namespace") return "";
  return `, or run "kubectl annotate crd CRD ${NAMESPACE_ANNOTATION}=${origin.namespace}" for custom resources`;
}

function formatUngrantedRemedy(ungranted: readonly Unknown[]): string {
  const kinds = sortNames(ungranted.map(({ where }) => where));
  const resource = kinds.length > MAX_NAMED ? "KIND.GROUP" : quoteArgument(kinds.join(","));
  return `Let the account list these kinds ("kubectl create clusterrole NAME --verb=list --resource=${resource}", and a binding), or look yourself whether they have objects.`;
}

/** The remedies of what left a check incomplete: each once. */
export function formatRemedies(unknowns: readonly Unknown[], context: Context, check: RightsHolder = {}): string {
  const ungranted = unknowns.filter(isUngranted);
  const others = formatReasons(
    unknowns.filter((unknown) => !isUngranted(unknown)),
    context,
    check,
  );
  return [...others, ...(ungranted.length > 0 ? [formatUngrantedRemedy(ungranted)] : [])].join(" ");
}

function formatReasons(unknowns: readonly Unknown[], context: Context, check: RightsHolder): readonly string[] {
  const reasons = new Set<string>(unknowns.map(({ reason }) => reason));
  const remedies = Object.entries(REMEDIES).flatMap(([reason, remedy]) => {
    if (!reasons.has(reason)) return [];
    return typeof remedy === "string" ? remedy : remedy(context, check);
  });
  return [...new Set(remedies)];
}

/** Which half a check is about, and what of the hosted cluster has to be ready: the same of all that it reports. */
export function findHalfPlace({ special }: Pick<Check, "special">, { special: { hasBothHalves } }: Context): HalfPlace {
  if (hasBothHalves !== true) return {};
  return {
    half: special?.subject === undefined ? "guest" : "management",
    stage: special?.stage ?? "controlPlane",
  };
}
