import { type Unknown, type Context, defineCheck, type Judgement } from "../../model/check.ts";
import { compareText } from "../../model/json.ts";
import { summarizeNames } from "../../model/names.ts";
import { each, valuesOf } from "../../model/read.ts";
import { formatMinor } from "../../model/version.ts";
import { buildStorageNotices, buildSubresourceFindings, buildSubresourceNotices } from "./version-changes.ts";
import { buildConversionReadsForRights, buildConversionFindings } from "./conversion.ts";
import type { CrdPair } from "./crd-pair.ts";
import {
  buildNamesFindings,
  buildServedVersionFindings,
  buildStoredVersionFindings,
  buildUnservedNotices,
  type VersionUsage,
} from "./definitions.ts";
import { selectDeletedCrds, buildDeletedCrdFindings, buildDeletedCrdNotices } from "./deleted-crds.ts";
import { buildRequestCountReads, type FollowedReads, buildFollowedReads, groupValues } from "./followed-reads.ts";
import { PAYLOAD_GROUPS } from "./payload-groups.ts";
import { type InstalledCrd, keepInstalledCrd } from "./installed-crd.ts";
import { formatTargetName } from "./target-name.ts";
import { buildFailsTodayNotices, buildObjectFindings, buildRuleUnknowns } from "./objects.ts";
import { risks } from "./risks.ts";

/**
 * The files, in the order of the data: installed-crd (keep) and crd-pair match installed CRDs with the target's; followed-reads plans
 * what else to read; version-pair chooses and compiles the schemas; object-verdict judges one object, objects makes findings of the
 * verdicts. definitions, version-changes, deleted-crds and conversion judge the CRDs themselves, with request-counts and
 * object-writers as evidence of use. risks has the texts.
 */
export default defineCheck({
  id: "crd-skew",
  name: "CrdSkew",
  title: "Custom resources and their definitions fit the target's CRDs",
  risks,
  applies: { kind: "updates", kinds: ["patch", "minor", "rollback"] },
  needsManifests: true,
  portable: true,
  reads: () => ({ crds: each("apiextensions.k8s.io/v1/customresourcedefinitions", keepInstalledCrd) }),
  mayRead: () => ({ ...buildRequestCountReads(), ...buildConversionReadsForRights() }),
  followedKinds: {
    groups: PAYLOAD_GROUPS,
    select: (release) =>
      release.crds.flatMap((crd) =>
        crd.versions
          .filter((version) => version.served)
          .map((version) => ({ group: crd.group, version: version.name, resource: crd.plural })),
      ),
  },
  follow({ crds }, context): FollowedReads {
    return buildFollowedReads(pairCrds(valuesOf(crds), context), selectDeletedCrds(valuesOf(crds), context), context);
  },
  evaluate({ crds }, context, followed): Judgement {
    const installed = valuesOf(crds);
    const [pairs, deleted] = [pairCrds(installed, context), selectDeletedCrds(installed, context)];
    const followedValues = groupValues(followed);
    const getUsage = ({ target: { name } }: CrdPair): VersionUsage => ({
      counts: followedValues.requestCounts,
      written: followedValues.getWriters(name),
    });
    const notices = [
      ...buildMissingCrdNotices(installed, context),
      ...deleted.flatMap((crd) =>
        buildDeletedCrdNotices(crd, followedValues.getDeletedObjects(crd.name), formatTargetName(context)),
      ),
      ...pairs.flatMap((pair) => [
        ...buildUnservedNotices(pair, getUsage(pair), context),
        ...buildStorageNotices(pair, context),
        ...buildSubresourceNotices(pair, context),
      ]),
    ];
    const nothing = pairs.length === 0 && deleted.length === 0;
    if (context.release.crds.length === 0 && nothing) return judgeWithoutCrds(context, notices);
    if (nothing && notices.length === 0)
      return { notApplicable: "None of the target's CRDs is installed in this cluster." };
    return {
      findings: [
        ...deleted.flatMap((crd) => buildDeletedCrdFindings(crd, followedValues.getDeletedObjects(crd.name))),
        ...pairs.flatMap((pair) => [
          ...buildStoredVersionFindings(pair),
          ...buildServedVersionFindings(pair, getUsage(pair)),
          ...buildNamesFindings(pair),
          ...buildSubresourceFindings(pair, context),
        ]),
        ...buildConversionFindings(pairs, context, followedValues.conversion),
        ...followedValues.verdicts.flatMap(([, verdicts]) => buildObjectFindings(verdicts)),
      ],
      unknowns: followedValues.verdicts.flatMap(([name, verdicts]) =>
        buildRuleUnknowns(name, verdicts, formatTargetName(context)),
      ),
      notices: [
        ...notices,
        ...buildNewCrdNotices(installed, context),
        ...followedValues.verdicts.flatMap(([, verdicts]) => buildFailsTodayNotices(verdicts)),
      ],
    };
  },
});

function pairCrds(installed: readonly InstalledCrd[], { release }: Context): readonly CrdPair[] {
  const targets = new Map(release.crds.map((crd) => [crd.name, crd]));
  return installed.flatMap(({ crd }) => {
    const target = targets.get(crd.name);
    return target === undefined ? [] : [{ installed: crd, target }];
  });
}

/** A release of OpenShift always ships CRDs; manifests for plain Kubernetes may not. */
function judgeWithoutCrds(context: Context, notices: readonly string[]): Judgement {
  if (context.platform === "openshift") return { unknowns: [buildNoCrdsUnknown(context)], notices };
  return { notApplicable: "The target's folder contains no CustomResourceDefinition that applies to this cluster." };
}

function buildNoCrdsUnknown(context: Context): Unknown {
  const message = `it contains no CustomResourceDefinition that applies to this cluster, so nothing could be compared with ${formatTargetName(context)}`;
  return { reason: "NoTargetCrds", where: "the target's folder", message };
}

function buildNewCrdNotices(installed: readonly InstalledCrd[], context: Context): readonly string[] {
  const { release } = context;
  const installedNames = new Set(installed.map(({ crd }) => crd.name));
  const names = release.crds.map(({ name }) => name).filter((name) => !installedNames.has(name));
  if (names.length === 0) return [];
  const [which, have] = names.length === 1 ? ["a CRD", "It has"] : [`${names.length} CRDs`, "They have"];
  return [
    `${formatTargetName(context)} adds ${which} that the cluster does not have yet: ${summarizeNames(names.toSorted(compareText))}. ${have} no objects to check.`,
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
