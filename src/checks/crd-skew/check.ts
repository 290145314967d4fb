import { type Blind, type Context, defineCheck, type Judgement } from "../../model/check.ts";
import { byText } from "../../model/json.ts";
import { type Each, each, type Listed, valuesOf } from "../../model/read.ts";
import { minorText } from "../../model/version.ts";
import {
  namesFindings,
  type Pair,
  servedVersionFindings,
  storedVersionFindings,
  unservedNotices,
} from "./definitions.ts";
import { PAYLOAD_GROUPS } from "./groups.ts";
import { type InstalledCrd, keepInstalled } from "./installed.ts";
import { objectFindings, type ObjectVerdict, objectsRead, ruleBlind } from "./objects.ts";
import { keepRequestCount } from "./request-counts.ts";
import { risks } from "./risks.ts";

export default defineCheck({
  id: "crd-skew",
  name: "CrdSkew",
  title: "Custom resources and their definitions fit the target's CRDs",
  risks,
  applies: { kind: "updates", kinds: ["patch", "minor", "rollback"] },
  needsManifests: true,
  reads: () => ({
    crds: each("apiextensions.k8s.io/v1/customresourcedefinitions", keepInstalled),
    requestCounts: each("apiserver.openshift.io/v1/apirequestcounts", keepRequestCount),
  }),
  followedKinds: {
    groups: PAYLOAD_GROUPS,
    of: (release) =>
      release.crds.flatMap((crd) =>
        crd.versions
          .filter((version) => version.served)
          .map((version) => ({ group: crd.group, version: version.name, resource: crd.plural })),
      ),
  },
  follow({ crds }, context): Readonly<Record<string, Each<ObjectVerdict>>> {
    const reads = pairsOf(valuesOf(crds), context).map((pair) => [pair.target.name, objectsRead(pair)] as const);
    return Object.fromEntries(reads.flatMap(([name, read]) => (read === undefined ? [] : [[name, read]])));
  },
  evaluate({ crds, requestCounts }, context, followed): Judgement {
    const installed = valuesOf(crds);
    const counts = valuesOf(requestCounts);
    const pairs = pairsOf(installed, context);
    const verdicts = Object.entries(followed).map(([name, listed]) => [name, verdictsOf(listed)] as const);
    return {
      findings: [
        ...pairs.flatMap(storedVersionFindings),
        ...pairs.flatMap((pair) => servedVersionFindings(pair, counts)),
        ...pairs.flatMap(namesFindings),
        ...verdicts.flatMap(([, found]) => objectFindings(found)),
      ],
      blind: [...noCrds(context), ...verdicts.flatMap(([name, found]) => ruleBlind(name, found, context.target.text))],
      notices: [
        ...missingNotice(installed, context),
        ...pairs.flatMap((pair) => unservedNotices(pair, counts, context)),
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

function verdictsOf(listed: Listed<ObjectVerdict> | undefined): readonly ObjectVerdict[] {
  return listed === undefined ? [] : valuesOf(listed);
}

function noCrds({ release, target }: Context): readonly Blind[] {
  if (release.crds.length > 0) return [];
  const message = `it holds no CustomResourceDefinition that would apply to this cluster, so nothing could be compared with ${target.text}`;
  return [{ reason: "NoTargetCrds", where: "the target's folder", message }];
}

function missingNotice(installed: readonly InstalledCrd[], { release, source, target }: Context): readonly string[] {
  const shipped = new Set(release.crds.map((crd) => crd.name));
  const lost = installed.filter(({ crd, ofPayload }) => ofPayload && !shipped.has(crd.name)).map(({ crd }) => crd.name);
  if (lost.length === 0 || release.crds.length === 0) return [];
  const names = lost.toSorted(byText).join(", ");
  const [which, objects] = lost.length === 1 ? ["a CRD", "Its objects"] : [`${lost.length} CRDs`, "Their objects"];
  return [
    `The target's folder (${target.text}) lacks ${which} that ${minorText(source)} has: ${names}. ${objects} were not judged.`,
  ];
}
