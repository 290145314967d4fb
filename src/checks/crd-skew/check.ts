import { type Blind, type Context, defineCheck, type Judgement } from "../../model/check.ts";
import { byText } from "../../model/json.ts";
import { joinSome } from "../../model/names.ts";
import { each, valuesOf } from "../../model/read.ts";
import { minorText } from "../../model/version.ts";
import { storageNotices, subresourceFindings, subresourceNotices } from "./changes.ts";
import { anyConversionReads, conversionFindings } from "./conversion.ts";
import {
  namesFindings,
  type Pair,
  servedVersionFindings,
  storedVersionFindings,
  unservedNotices,
  type Usage,
} from "./definitions.ts";
import { deletedCrds, deletedFindings, deletedNotice } from "./deleted.ts";
import { countReads, type Followed, followedReads, sorted } from "./followed.ts";
import { PAYLOAD_GROUPS } from "./groups.ts";
import { type InstalledCrd, keepInstalled } from "./installed.ts";
import { targetName } from "./names.ts";
import { failingNotices, objectFindings, ruleBlind } from "./objects.ts";
import { risks } from "./risks.ts";

export default defineCheck({
  id: "crd-skew",
  name: "CrdSkew",
  title: "Custom resources and their definitions fit the target's CRDs",
  risks,
  applies: { kind: "updates", kinds: ["patch", "minor", "rollback"] },
  needsManifests: true,
  portable: true,
  reads: () => ({ crds: each("apiextensions.k8s.io/v1/customresourcedefinitions", keepInstalled) }),
  mayRead: () => ({ ...countReads(), ...anyConversionReads() }),
  followedKinds: {
    groups: PAYLOAD_GROUPS,
    of: (release) =>
      release.crds.flatMap((crd) =>
        crd.versions
          .filter((version) => version.served)
          .map((version) => ({ group: crd.group, version: version.name, resource: crd.plural })),
      ),
  },
  follow({ crds }, context): Followed {
    return followedReads(pairsOf(valuesOf(crds), context), deletedCrds(valuesOf(crds), context), context);
  },
  evaluate({ crds }, context, followed): Judgement {
    const installed = valuesOf(crds);
    const [pairs, deleted] = [pairsOf(installed, context), deletedCrds(installed, context)];
    const read = sorted(followed);
    const usageOf = ({ target: { name } }: Pair): Usage => ({ counts: read.counts, written: read.writersOf(name) });
    const notices = [
      ...missingNotice(installed, context),
      ...deleted.flatMap((crd) => deletedNotice(crd, read.doomedOf(crd.name), targetName(context))),
      ...pairs.flatMap((pair) => [
        ...unservedNotices(pair, usageOf(pair), context),
        ...storageNotices(pair, context),
        ...subresourceNotices(pair, context),
      ]),
    ];
    const nothing = pairs.length === 0 && deleted.length === 0;
    if (context.release.crds.length === 0 && nothing) return withoutCrds(context, notices);
    if (nothing && notices.length === 0)
      return { notApplicable: "The cluster has none of the CRDs that the target ships." };
    return {
      findings: [
        ...deleted.flatMap((crd) => deletedFindings(crd, read.doomedOf(crd.name))),
        ...pairs.flatMap((pair) => [
          ...storedVersionFindings(pair),
          ...servedVersionFindings(pair, usageOf(pair)),
          ...namesFindings(pair),
          ...subresourceFindings(pair, context),
        ]),
        ...conversionFindings(pairs, context, read.conversion),
        ...read.verdicts.flatMap(([, found]) => objectFindings(found)),
      ],
      blind: read.verdicts.flatMap(([name, found]) => ruleBlind(name, found, targetName(context))),
      notices: [
        ...notices,
        ...newNotice(installed, context),
        ...read.verdicts.flatMap(([, found]) => failingNotices(found)),
      ],
    };
  },
});

function pairsOf(installed: readonly InstalledCrd[], { release }: Context): readonly Pair[] {
  const targets = new Map(release.crds.map((crd) => [crd.name, crd]));
  return installed.flatMap(({ crd }) => {
    const target = targets.get(crd.name);
    return target === undefined ? [] : [{ installed: crd, target }];
  });
}

/** A release of OpenShift always has CRDs; manifests for Kubernetes alone need not. */
function withoutCrds(context: Context, notices: readonly string[]): Judgement {
  if (context.platform === "openshift") return { blind: [noCrds(context)], notices };
  return { notApplicable: "The target's folder holds no CustomResourceDefinition that would apply to this cluster." };
}

function noCrds(context: Context): Blind {
  const message = `it holds no CustomResourceDefinition that would apply to this cluster, so nothing could be compared with ${targetName(context)}`;
  return { reason: "NoTargetCrds", where: "the target's folder", message };
}

function newNotice(installed: readonly InstalledCrd[], context: Context): readonly string[] {
  const { release } = context;
  const known = new Set(installed.map(({ crd }) => crd.name));
  const names = release.crds.map(({ name }) => name).filter((name) => !known.has(name));
  if (names.length === 0) return [];
  const [which, have] = names.length === 1 ? ["a CRD", "It has"] : [`${names.length} CRDs`, "They have"];
  return [
    `${targetName(context)} brings ${which} that the cluster doesn't have yet: ${joinSome(names.toSorted(byText))}. ${have} no objects to judge.`,
  ];
}

/** A CRD that is only created where there is none (create-only) is among the manifests: the target has it, and leaves today's alone. */
function missingNotice(installed: readonly InstalledCrd[], { release, source, target }: Context): readonly string[] {
  const shipped = new Set(
    release.manifests
      .concat(release.deleted)
      .filter(({ kind }) => kind === "CustomResourceDefinition")
      .map(({ name }) => name),
  );
  const lost = installed.filter(({ crd, ofPayload }) => ofPayload && !shipped.has(crd.name)).map(({ crd }) => crd.name);
  if (lost.length === 0 || release.crds.length === 0 || release.crdFolder !== undefined) return [];
  const [which, objects] = lost.length === 1 ? ["a CRD", "Its objects"] : [`${lost.length} CRDs`, "Their objects"];
  return [
    `The target's folder (${target.text}) brings no definition of ${which} that ${minorText(source)} has here: ${joinSome(lost.toSorted(byText))}. ${objects} were not judged.`,
  ];
}
