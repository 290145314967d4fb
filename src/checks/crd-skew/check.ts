import { type Unknown, type Context, type Finding, defineCheck, type Judgement } from "../../model/check.ts";
import { compareText } from "../../model/json.ts";
import { summarizeNames } from "../../model/text.ts";
import { each, type ListResult, type ReadResults, valuesOf, withAnnotations } from "../../model/read.ts";
import { formatMinor } from "../../model/version.ts";
import {
  type VersionUsage,
  buildStorageNotices,
  buildSubresourceFindings,
  buildSubresourceNotices,
  buildDefaultNotices,
  buildNamesFindings,
  buildServedVersionFindings,
  buildStoredVersionFindings,
  buildLaterVersionNotices,
  buildUnservedNotices,
} from "./definitions.ts";
import {
  type FollowedReads,
  buildConversionReadsForRights,
  buildConversionFindings,
  selectDeletedCrds,
  buildDeletedCrdFindings,
  buildDeletedCrdNotices,
  buildRequestCountReads,
  buildFollowedReads,
} from "./followed-reads.ts";
import type { CrdPair, InstalledCrd } from "./crd-pair.ts";
import { type KindPlan, planKind } from "./kind-plan.ts";
import {
  getMinors,
  pairCrds,
  formatTargetName,
  CRD_ANNOTATIONS,
  keepInstalledCrd,
  getTargetKubernetesMinor,
} from "./crd-pair.ts";
import { PAYLOAD_GROUPS } from "./payload-groups.ts";
import { buildConversionUnknowns, buildDefaultUnknowns, buildStoredVersionUnknowns } from "./conversion-unknowns.ts";
import { buildFailsTodayNotices, buildObjectFindings, buildRuleUnknowns } from "./object-findings.ts";
import type { ObjectVerdict } from "./object-verdict.ts";
import { collectVerdicts } from "./objects.ts";
import type { DefinitionVerdict } from "./refused-crds.ts";
import { buildRefusalUnknowns, buildRefusedFindings, isAccepted, isRefused, judgeTargetCrds } from "./refused-crds.ts";
import { risks } from "./risks.ts";

/**
 * The files, in the order of the data: crd-pair matches installed CRDs with the target's; refused-crds judges whether the API server accepts
 * the target's; kind-plan chooses the versions that are read and judged (schema-parts reads schemas as CRDs have them), kind-schemas compiles
 * them; followed-reads plans what else to read, and judges deleted CRDs and conversion by it; objects reads a kind's objects, writes plays the
 * writes of one (conversions has what becomes of it between versions), changed-defaults finds what a default alone shows, object-verdict
 * compares the outcomes, object-findings makes findings of them, conversion-unknowns says what can't be told. definitions judges the CRDs
 * themselves, with version-usage as evidence. risks has the texts, write-texts what they say of writes.
 */
export default defineCheck({
  id: "crd-skew",
  title: "Custom resources and their definitions fit the target's CRDs",
  risks,
  applies: { kind: "updates", kinds: ["patch", "minor", "rollback"] },
  basis: "manifests",
  platforms: ["openshift", "kubernetes"],
  reads: () => ({
    crds: withAnnotations(CRD_ANNOTATIONS, each("apiextensions.k8s.io/v1/customresourcedefinitions", keepInstalledCrd)),
  }),
  mayRead: () => ({ ...buildRequestCountReads(), ...buildConversionReadsForRights() }),
  special: {
    followedKinds: {
      groups: PAYLOAD_GROUPS,
      select: (release) =>
        release.crds.flatMap((crd) =>
          crd.versions
            .filter((version) => version.served)
            .map((version) => ({ group: crd.group, version: version.name, resource: crd.plural })),
        ),
    },
  },
  follow({ crds }, context): FollowedReads {
    const installed = valuesOf(crds);
    return buildFollowedReads(judgeCrds(installed, context).pairs, selectDeletedCrds(installed, context), context);
  },
  evaluate({ crds }, context, followed): Judgement {
    const installed = valuesOf(crds);
    const { verdicts, pairs } = judgeCrds(installed, context);
    const deleted = selectDeletedCrds(installed, context);
    const getUsage = ({ target: { name } }: CrdPair): VersionUsage => ({
      counts: followed.requestCounts,
      written: getValues(followed[`writers:${name}`]),
    });
    const judged = pairs.map((pair) => judgeKind(pair, followed, context));
    const target = formatTargetName(context);
    const notices = [
      ...buildMissingCrdNotices(installed, context),
      ...deleted.flatMap((crd) => buildDeletedCrdNotices(crd, followed[`doomed:${crd.name}`], target)),
      ...pairs.flatMap((pair) => [
        ...buildUnservedNotices(pair, getUsage(pair), context),
        ...buildLaterVersionNotices(pair, getUsage(pair)),
        ...buildStorageNotices(pair, context),
        ...buildDefaultNotices(pair, context),
        ...buildSubresourceNotices(pair, context),
      ]),
    ];
    const nothing = pairs.length === 0 && deleted.length === 0 && verdicts.every(isAccepted);
    if (context.release.crds.length === 0 && nothing) return judgeWithoutCrds(context, notices);
    if (nothing && notices.length === 0) return { notApplicable: describeNoneInstalled(context) };
    return {
      findings: [
        ...verdicts.flatMap(buildRefusedFindings),
        ...deleted.flatMap((crd) => buildDeletedCrdFindings(crd, followed[`doomed:${crd.name}`])),
        ...pairs.flatMap((pair) => [
          ...buildStoredVersionFindings(pair),
          ...buildServedVersionFindings(pair, getUsage(pair)),
          ...buildNamesFindings(pair),
          ...buildSubresourceFindings(pair, context),
        ]),
        ...buildConversionFindings(pairs, context, followed),
        ...judged.flatMap(buildKindFindings),
      ],
      unknowns: [
        ...verdicts.flatMap((verdict) => buildRefusalUnknowns(verdict, target)),
        ...judged.flatMap((kind) => buildKindUnknowns(kind, context)),
      ],
      notices: [
        ...notices,
        ...buildLeftOutNotices(context),
        ...buildNewCrdNotices(verdicts, context),
        ...judged.flatMap(({ objects }) => buildFailsTodayNotices(objects)),
      ],
    };
  },
});

type JudgedKind = {
  readonly pair: CrdPair;
  readonly plan: KindPlan | undefined;
  readonly objects: readonly ObjectVerdict[];
};

function judgeKind(pair: CrdPair, followed: Partial<ReadResults<FollowedReads>>, context: Context): JudgedKind {
  const objects = collectVerdicts(pair, (key) => getValues(followed[key]));
  return { pair, plan: planKind(pair, getMinors(context)), objects };
}

function buildKindFindings({ plan, objects }: JudgedKind): readonly Finding[] {
  return buildObjectFindings(objects, plan?.hasSameDefinition ? "apiServer" : undefined);
}

function buildKindUnknowns({ pair, plan, objects }: JudgedKind, context: Context): readonly Unknown[] {
  return [
    ...buildRuleUnknowns(pair.target.name, objects, formatTargetName(context)),
    ...buildConversionUnknowns(pair, plan, objects, context),
    ...buildStoredVersionUnknowns(pair, objects),
    ...buildDefaultUnknowns(pair, objects, context),
  ];
}

/** A failed read is absent, and already an unknown. */
function getValues<T>(listed: ListResult<T> | undefined): readonly T[] {
  return listed === undefined ? [] : valuesOf(listed);
}

/** The verdicts on the target's CRDs, and the installed CRDs with those that the API server accepts in their place. */
type JudgedCrds = { readonly verdicts: readonly DefinitionVerdict[]; readonly pairs: readonly CrdPair[] };

function judgeCrds(installed: readonly InstalledCrd[], context: Context): JudgedCrds {
  const crds = installed.map(({ crd }) => crd);
  const verdicts = judgeTargetCrds(context.release.crds, crds, getTargetKubernetesMinor(context));
  const accepted = verdicts.filter((verdict) => !isRefused(verdict)).map(({ target }) => target);
  return { verdicts, pairs: pairCrds(crds, accepted) };
}

function describeNoneInstalled(context: Context): string {
  const which = context.release.crdFolder === undefined ? "the target's CRDs" : "these CRDs";
  return [`None of ${which} is installed in this cluster.`, ...buildLeftOutNotices(context)].join(" ");
}

/** A release of OpenShift always ships CRDs; manifests for plain Kubernetes may not. */
function judgeWithoutCrds(context: Context, notices: readonly string[]): Judgement {
  if (context.platform === "openshift" || context.release.crdFolder !== undefined)
    return { unknowns: [buildNoCrdsUnknown(context)], notices };
  return { notApplicable: "The target's folder contains no CustomResourceDefinition that applies to this cluster." };
}

function buildNoCrdsUnknown(context: Context): Unknown {
  const message = `it contains no CustomResourceDefinition that applies to this cluster, so nothing could be compared with ${formatTargetName(context)}`;
  return { reason: "NoTargetCrds", where: "the target's folder", message };
}

function buildNewCrdNotices(verdicts: readonly DefinitionVerdict[], context: Context): readonly string[] {
  const names = verdicts
    .filter((verdict) => verdict.installed === undefined && !isRefused(verdict))
    .map(({ target }) => target.name);
  if (names.length === 0) return [];
  const [which, have] = names.length === 1 ? ["a CRD", "It has"] : [`${names.length} CRDs`, "They have"];
  return [
    `${formatTargetName(context)} adds ${which} that the cluster does not have yet: ${summarizeNames(names.toSorted(compareText))}. ${have} no objects to check.`,
  ];
}

/** A cluster has one variant of each CRD at most; of these it has none, and nothing says what applying them by hand would do. */
function buildLeftOutNotices({ release: { crdsLeftOut = [], crdFolder = "" } }: Context): readonly string[] {
  if (crdsLeftOut.length === 0) return [];
  const [count, apply, were] =
    crdsLeftOut.length === 1 ? ["1 CRD", "does", "was"] : [`${crdsLeftOut.length} CRDs`, "do", "were"];
  return [
    `${count} of ${crdFolder} ${apply} not apply to this cluster by feature set, cluster profile or capabilities, and ${were} not checked: ${summarizeNames(crdsLeftOut)}.`,
  ];
}

/** A create-only CRD is among the manifests: the target ships it, but does not change an installed one. */
function buildMissingCrdNotices(
  installed: readonly InstalledCrd[],
  { release, source, target }: Context,
): readonly string[] {
  const shipped = new Set(
    release.manifests
      .concat(release.deleted)
      .filter(({ kind }) => kind === "CustomResourceDefinition")
      .map(({ name }) => name),
  );
  const missing = installed
    .filter(({ crd, isFromPayload }) => isFromPayload && !shipped.has(crd.name))
    .map(({ crd }) => crd.name);
  if (missing.length === 0 || release.crds.length === 0 || release.crdFolder !== undefined) return [];
  const [which, objects] =
    missing.length === 1 ? ["a CRD", "Its objects"] : [`${missing.length} CRDs`, "Their objects"];
  return [
    `The target's folder (${target.text}) does not contain ${which} that ${formatMinor(source)} installed: ${summarizeNames(missing.toSorted(compareText))}. ${objects} were not checked.`,
  ];
}
