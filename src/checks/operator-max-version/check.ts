import { readRisks } from "../shared/risks.ts";
import {
  CHECKS_ANNOTATION,
  COPY_ANNOTATIONS,
  CSV_RESOURCE,
  findCheckedOperator,
  findLeaving,
  isCopied,
} from "../../model/cluster-service-version.ts";
import { EXTENSION_RESOURCE } from "../../model/cluster-extension.ts";
import { CRD_RESOURCE, parseCustomKind } from "../../model/custom-kind.ts";
import { type Context, type Finding, type Judgement, defineCheck } from "../../model/check.ts";
import { type JsonObject, objectAt, textAt } from "../../model/json.ts";
import { buildPrefix, quoteArgument } from "../../model/commands.ts";
import { listOlmOperators } from "./installed-operators.ts";
import { type LastRelease, RELEASE_ANNOTATIONS, isReadByOlm, parseLastRelease } from "./last-release.ts";
import { type Subscribed, findSubscription, isUpdatePending, keepSubscribed } from "../shared/operator-subscription.ts";
import { nameOnly } from "../shared/only-detail.ts";
import { type Each, each, valuesOf, soundInPart, withAnnotations } from "../../model/read.ts";
import { sortNames, summarizeNames } from "../../model/text.ts";
import { type ObjectRef, formatRef, refOf } from "../../model/resource.ts";
import { formatMinor, getMinorOrdinal } from "../../model/version.ts";

const packageName = nameOnly(({ detail }) => detail?.["package"], "PACKAGE");
const TEXTS = { remediation: { packageName }, fixKind: "disruptive", fix: buildUpdate } as const;

const risks = readRisks("operator-max-version", {
  OperatorIncompatibleWithNextMinor: TEXTS,
  OperatorIncompatibleWithTarget: TEXTS,
  OperatorMaxOpenShiftVersionInvalid: TEXTS,
});

/** An update that waits is approved, and one that is under way needs nothing. Which channel has a later version is for the catalog to say. */
function buildUpdate({ object, detail = {} }: Finding, { platform }: Context): readonly string[] {
  const { installPlan, next, leaving, subscription } = detail;
  const prefix = `${buildPrefix(platform, object.namespace)} patch`;
  if (installPlan !== undefined)
    return [
      `${prefix} installplan.operators.coreos.com/${quoteArgument(installPlan)} --type=merge -p '{"spec":{"approved":true}}'`,
    ];
  if (next !== undefined || leaving !== undefined) return [];
  const name = subscription === undefined ? "<subscription>" : quoteArgument(subscription);
  return [`${prefix} subscription.operators.coreos.com/${name} --type=merge -p '{"spec":{"channel":"<channel>"}}'`];
}

export default defineCheck({
  id: "operator-max-version",
  name: "OperatorMaxOpenShiftVersion",
  title: "Installed operators declare support for the target",
  risks: Object.values(risks),
  applies: { kind: "updates", kinds: ["minor"] },
  reads: () => ({
    operators: withAnnotations(OPERATOR_ANNOTATIONS, soundInPart("object", each(CSV_RESOURCE, keepInstalledOperator))),
    checked: withAnnotations(
      [...COPY_ANNOTATIONS, CHECKS_ANNOTATION],
      soundInPart(
        "object",
        each(CSV_RESOURCE, (csv) => findCheckedOperator(csv)?.package),
      ),
    ),
  }),
  mayRead: () => ({
    subscriptions: buildSubscriptionsRead(),
    extensions: buildExtensionsRead(),
    crds: buildCheckedCrdsRead(),
  }),
  follow: ({ operators }) => ({
    extensions: buildExtensionsRead(),
    crds: buildCheckedCrdsRead(),
    ...(valuesOf(operators).length > 0 ? { subscriptions: buildSubscriptionsRead() } : {}),
  }),
  evaluate({ operators, checked }, context, { subscriptions, extensions, crds }) {
    const names = extensions ? valuesOf(extensions) : [];
    if (operators.kind === "absent" && names.length === 0)
      return {
        notApplicable: "The API server serves no ClusterServiceVersions: OLM is not installed.",
        irrelevantReads: ["crds"],
      };
    const installed = valuesOf(operators);
    const subscribed = subscriptions ? valuesOf(subscriptions) : [];
    const judgement = judgeOperators(installed.filter(hasDeclaration), subscribed, context);
    const staying = installed.filter(({ leaving }) => leaving === undefined);
    return {
      ...judgement,
      special: subscriptions && { operators: listOlmOperators(staying, subscribed, context) },
      notices: [
        ...(judgement.notices ?? []),
        ...buildExtensionNotices(names, context),
        ...buildChecksNotices([...valuesOf(checked), ...(crds ? valuesOf(crds) : [])], context),
      ],
      // They give texts and notices alone.
      irrelevantReads: ["subscriptions", "extensions", "crds"],
    };
  },
});

function buildSubscriptionsRead(): Each<Subscribed> {
  return each("operators.coreos.com/v1alpha1/subscriptions", keepSubscribed);
}

function buildExtensionsRead(): Each<string> {
  return each(EXTENSION_RESOURCE, (object) => textAt(object, "metadata", "name"));
}

/** The ClusterExtensions whose CRDs name checks. */
function buildCheckedCrdsRead(): Each<string> {
  const keep = (crd: JsonObject): string | undefined => {
    const { extension, annotation } = parseCustomKind(crd);
    return annotation === undefined ? undefined : extension;
  };
  return withAnnotations([CHECKS_ANNOTATION], soundInPart("object", each(CRD_RESOURCE, keep)));
}

function judgeOperators(
  operators: readonly DeclaringOperator[],
  subscriptions: readonly Subscribed[],
  context: Context,
): Judgement {
  return {
    findings: operators.flatMap((operator) => buildFindings(operator, subscriptions, context)),
    notices: operators.flatMap(buildInvalidNotices),
  };
}

function buildFindings(
  operator: DeclaringOperator,
  subscriptions: readonly Subscribed[],
  context: Context,
): readonly Finding[] {
  const { last, object } = operator;
  const subscription = findSubscription(object, subscriptions);
  if (last.kind === "invalid")
    return operator.isReadByOlm ? [buildInvalidFinding(operator, last.why, subscription)] : [];
  if (last.place >= getMinorOrdinal(context.target)) return [];
  const message = `It declares support up to OpenShift ${last.text}, and the target is ${context.target.text}.`;
  const detail = { maxOpenShiftVersion: last.text, ...buildUpdateDetail(operator, subscription) };
  const text = `${message}${formatLeaving(operator)}${formatPending(subscription)}`;
  return [{ risk: getRiskName(last.place, operator, context), object, message: text, detail }];
}

/** What decides which command updates the operator. */
function buildUpdateDetail({ leaving }: DeclaringOperator, update?: Subscribed): Record<string, string> {
  const pending = update !== undefined && isUpdatePending(update) ? update : undefined;
  const installPlan = pending?.isWaitingForApproval === true ? pending.installPlan : "";
  const details = {
    subscription: update?.name,
    package: update?.package,
    next: pending?.nextCsv,
    installPlan,
    leaving,
  };
  return Object.fromEntries(Object.entries(details).flatMap(([key, value]) => (value ? [[key, value]] : [])));
}

function formatPending(update?: Subscribed): string {
  if (update === undefined || !isUpdatePending(update)) return "";
  const { isWaitingForApproval, installPlan, namespace, nextCsv } = update;
  if (!isWaitingForApproval) return ` Its update to ${nextCsv} is pending.`;
  return ` Its update to ${nextCsv} waits for approval${installPlan === "" ? "" : ` (InstallPlan ${namespace}/${installPlan})`}.`;
}

/** OLM itself checks only the release after the running one. */
function getRiskName(place: number, { isReadByOlm }: DeclaringOperator, { source }: Context): string {
  const isBlockedByOlm = isReadByOlm && place <= getMinorOrdinal(source);
  return isBlockedByOlm ? risks.OperatorIncompatibleWithNextMinor.name : risks.OperatorIncompatibleWithTarget.name;
}

function buildInvalidFinding(operator: DeclaringOperator, why: string, subscription?: Subscribed): Finding {
  const message = `Its property olm.maxOpenShiftVersion can't be parsed: ${why}.`;
  const detail = buildUpdateDetail(operator, subscription);
  return {
    risk: risks.OperatorMaxOpenShiftVersionInvalid.name,
    object: operator.object,
    message: message + formatLeaving(operator),
    ...(Object.keys(detail).length === 0 ? {} : { detail }),
  };
}

function formatLeaving({ leaving }: DeclaringOperator): string {
  return leaving === undefined ? "" : ` It is being ${leaving}: OLM counts it until it is deleted.`;
}

function buildInvalidNotices({ last, object, isReadByOlm }: DeclaringOperator): readonly string[] {
  if (last.kind !== "invalid" || isReadByOlm) return [];
  return [
    `${formatRef(object)} may declare its last OpenShift release in the annotation olm.properties, which can't be parsed (${last.why}). OLM ignores that annotation, so it blocks no update.`,
  ];
}

/** The limits of ClusterExtensions are in Secrets, which only OLM reads. */
function buildExtensionNotices(names: readonly string[], { source, target }: Context): readonly string[] {
  if (names.length === 0 || getMinorOrdinal(target) - getMinorOrdinal(source) < 2) return [];
  return [
    `ClusterExtensions may declare a last release that they support, which only OLM can read: ${summarizeNames(names)}. The ClusterOperator olm reports those that support no release after ${formatMinor(source)}; for ${formatMinor(target)}, ask the vendor of each.`,
  ];
}

/** Operators bring checks, which run only on request. */
function buildChecksNotices(packages: readonly string[], { special }: Context): readonly string[] {
  if (packages.length === 0 || special.runsOperatorChecks === true) return [];
  const names = summarizeNames(sortNames(packages));
  return [
    `Checks that installed operators bring did not run: ${names}. To run them, add --checks-from payload,operators.`,
  ];
}

type InstalledOperator = {
  readonly object: ObjectRef;
  readonly version?: string;
  readonly last: LastRelease;
  readonly isReadByOlm: boolean;
  /** OLM counts them until they are deleted: if a replacement never gets ready, the old operator keeps running. */
  readonly leaving?: "replaced" | "deleted";
};

/** An installed operator that declares the last OpenShift release it supports. */
type DeclaringOperator = InstalledOperator & { readonly last: Exclude<LastRelease, { readonly kind: "none" }> };

function hasDeclaration(operator: InstalledOperator): operator is DeclaringOperator {
  return operator.last.kind !== "none";
}

const OPERATOR_ANNOTATIONS = [...COPY_ANNOTATIONS, ...RELEASE_ANNOTATIONS];

/** Drops OLM's copies in the namespaces that an operator watches. */
export function keepInstalledOperator(csv: JsonObject): InstalledOperator | undefined {
  if (isCopied(csv)) return undefined;
  const annotations = objectAt(csv, "metadata", "annotations");
  return {
    object: refOf(csv),
    version: textAt(csv, "spec", "version"),
    last: parseLastRelease(annotations),
    isReadByOlm: isReadByOlm(annotations),
    leaving: findLeaving(csv),
  };
}
