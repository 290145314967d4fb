import { readRisks } from "../shared/risks.ts";
import {
  CHECKS_ANNOTATION,
  COPY_ANNOTATIONS,
  CSV_RESOURCE,
  findCheckedOperator,
} from "../../model/cluster-service-version.ts";
import { EXTENSION_RESOURCE } from "../../model/cluster-extension.ts";
import { CRD_RESOURCE, parseCustomKind } from "../../model/custom-kind.ts";
import { type Context, type Finding, type Judgement, defineCheck } from "../../model/check.ts";
import { type JsonObject, textAt } from "../../model/json.ts";
import { buildPackageRead, buildPackageReads } from "./catalog.ts";
import {
  type DeclaringOperator,
  type InstalledOperator,
  OPERATOR_ANNOTATIONS,
  hasDeclaration,
  keepInstalledOperator,
  listOlmOperators,
} from "./installed-operators.ts";
import { reachesTarget } from "./last-release.ts";
import {
  type UpdateSources,
  buildUpdate,
  buildUpdateDetail,
  findUpdate,
  formatRemedy,
  formatUpdate,
  namePackage,
} from "./operator-update.ts";
import { type Subscribed, keepSubscribed } from "../shared/operator-subscription.ts";
import { type Each, each, valuesOf, soundInPart, withAnnotations } from "../../model/read.ts";
import { sortNames, summarizeNames } from "../../model/text.ts";
import { formatRef } from "../../model/resource.ts";
import { formatMinor, getMinorOrdinal } from "../../model/version.ts";

const COMMANDS = { fixKind: "disruptive", fix: buildUpdate } as const;
const TEXTS = { remediation: { remedy: formatRemedy }, ...COMMANDS } as const;

const risks = readRisks("operator-max-version", {
  OperatorIncompatibleWithNextMinor: TEXTS,
  OperatorIncompatibleWithTarget: TEXTS,
  OperatorMaxOpenShiftVersionInvalid: { remediation: { packageName: namePackage }, ...COMMANDS },
});

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
    package: buildPackageRead("NAMESPACE", "PACKAGE"),
  }),
  follow: ({ operators }, context) => ({
    extensions: buildExtensionsRead(),
    crds: buildCheckedCrdsRead(),
    ...(valuesOf(operators).length > 0 ? { subscriptions: buildSubscriptionsRead() } : {}),
    ...buildPackageReads(selectOutdated(valuesOf(operators), context)),
  }),
  evaluate({ operators, checked }, context, { subscriptions, extensions, crds, ...packages }) {
    const names = extensions ? valuesOf(extensions) : [];
    if (operators.kind === "absent" && names.length === 0)
      return {
        notApplicable: "The API server serves no ClusterServiceVersions: OLM is not installed.",
        irrelevantReads: ["crds"],
      };
    const installed = valuesOf(operators);
    const subscribed = subscriptions && valuesOf(subscriptions);
    const sources = { subscriptions: subscribed, packages };
    const judgement = judgeOperators(installed.filter(hasDeclaration), sources, context);
    const staying = installed.filter(({ leaving }) => leaving === undefined);
    return {
      ...judgement,
      special: subscribed && { operators: listOlmOperators(staying, subscribed, context) },
      notices: [
        ...(judgement.notices ?? []),
        ...buildExtensionNotices(names, context),
        ...buildChecksNotices([...valuesOf(checked), ...(crds ? valuesOf(crds) : [])], context),
      ],
      // They give texts and notices alone.
      irrelevantReads: [
        "subscriptions",
        "extensions",
        "crds",
        ...Object.keys(buildPackageReads(selectOutdated(installed, context))),
      ],
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

function judgeOperators(operators: readonly DeclaringOperator[], sources: UpdateSources, context: Context): Judgement {
  return {
    findings: operators.flatMap((operator) => buildFindings(operator, sources, context)),
    notices: operators.flatMap(buildInvalidNotices),
  };
}

/** Whether an operator has a finding. */
function isIncompatible({ last, isReadByOlm }: InstalledOperator, { target }: Context): boolean {
  if (last.kind === "release") return !reachesTarget(last, target);
  return last.kind === "invalid" && isReadByOlm;
}

/** Those whose update the catalog may have: they have a finding, and no successor. */
function selectOutdated(operators: readonly InstalledOperator[], context: Context): readonly InstalledOperator[] {
  return operators.filter((operator) => operator.leaving === undefined && isIncompatible(operator, context));
}

function buildFindings(operator: DeclaringOperator, sources: UpdateSources, context: Context): readonly Finding[] {
  if (!isIncompatible(operator, context)) return [];
  const { last, object } = operator;
  const update = findUpdate(operator, sources, context);
  const updateDetail = buildUpdateDetail(update, operator);
  const detail = last.kind === "release" ? { maxOpenShiftVersion: last.text, ...updateDetail } : updateDetail;
  const message = `${formatDeclaration(last, context)}${formatLeaving(operator)}${formatUpdate(update, context)}`;
  const risk = getRiskName(operator, context);
  return [{ risk, object, message, ...(Object.keys(detail).length === 0 ? {} : { detail }) }];
}

function formatDeclaration(last: DeclaringOperator["last"], { target }: Context): string {
  return last.kind === "release"
    ? `It declares support up to OpenShift ${last.text}, and the target is ${target.text}.`
    : `Its property olm.maxOpenShiftVersion can't be parsed: ${last.why}.`;
}

/** OLM itself checks only the release after the running one. */
function getRiskName({ last, isReadByOlm }: DeclaringOperator, { source }: Context): string {
  if (last.kind === "invalid") return risks.OperatorMaxOpenShiftVersionInvalid.name;
  const isBlockedByOlm = isReadByOlm && last.place <= getMinorOrdinal(source);
  return isBlockedByOlm ? risks.OperatorIncompatibleWithNextMinor.name : risks.OperatorIncompatibleWithTarget.name;
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
