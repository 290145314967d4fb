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
import { failingNotices, objectFindings, objectsRead, ruleBlind } from "./objects.ts";
import { listed } from "./names.ts";
import { keepRequestCount, type RequestCount } from "./request-counts.ts";
import { risks } from "./risks.ts";
import type { ObjectVerdict } from "./verdict.ts";

const COUNTS = "requestCounts";

type Kept = ObjectVerdict | RequestCount;
/** Objects by the name of their CRD, and under COUNTS the request counts. */
type Followed = Readonly<Record<string, Each<Kept>>>;

export default defineCheck({
  id: "crd-skew",
  name: "CrdSkew",
  title: "Custom resources and their definitions fit the target's CRDs",
  risks,
  applies: { kind: "updates", kinds: ["patch", "minor", "rollback"] },
  needsManifests: true,
  reads: () => ({ crds: each("apiextensions.k8s.io/v1/customresourcedefinitions", keepInstalled) }),
  mayRead: countReads,
  followedKinds: {
    groups: PAYLOAD_GROUPS,
    of: (release) =>
      release.crds.flatMap((crd) =>
        crd.versions
          .filter((version) => version.served)
          .map((version) => ({ group: crd.group, version: version.name, resource: crd.plural })),
      ),
  },
  // Request counts come with the objects: they are a payload's kind too, and so may be wanted twice.
  follow({ crds }, context): Followed {
    const reads = pairsOf(valuesOf(crds), context).map(
      (pair) => [pair.target.name, objectsRead(pair, context)] as const,
    );
    const objects = Object.fromEntries(reads.flatMap(([name, read]) => (read === undefined ? [] : [[name, read]])));
    return { ...objects, ...countReads() };
  },
  evaluate({ crds }, context, followed): Judgement {
    const counts = countsOf(followed[COUNTS]);
    const installed = valuesOf(crds);
    const pairs = pairsOf(installed, context);
    const notices = [
      ...missingNotice(installed, context),
      ...pairs.flatMap((pair) => unservedNotices(pair, counts, context)),
    ];
    if (context.release.crds.length === 0) return { blind: [noCrds(context)], notices };
    if (pairs.length === 0 && notices.length === 0)
      return { notApplicable: "The cluster has none of the CRDs that the target ships." };
    const verdicts = Object.entries(followed).map(([name, objects]) => [name, verdictsOf(objects)] as const);
    const failing = verdicts.flatMap(([, found]) => failingNotices(found));
    return {
      findings: [
        ...pairs.flatMap(storedVersionFindings),
        ...pairs.flatMap((pair) => servedVersionFindings(pair, counts)),
        ...pairs.flatMap(namesFindings),
        ...verdicts.flatMap(([, found]) => objectFindings(found)),
      ],
      blind: verdicts.flatMap(([name, found]) => ruleBlind(name, found, context.target.text)),
      notices: [...notices, ...failing],
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

function countReads(): Readonly<Record<typeof COUNTS, Each<RequestCount>>> {
  return { [COUNTS]: each("apiserver.openshift.io/v1/apirequestcounts", keepRequestCount) };
}

/** Counts that could not be read are a blind spot already, and as unknown as absent ones. */
function countsOf(listed: Listed<Kept> | undefined): Listed<RequestCount> {
  if (listed?.kind !== "found") return { kind: "absent", what: "resource" };
  return { kind: "found", values: listed.values.filter(isCount) };
}

function verdictsOf(listed: Listed<Kept> | undefined): readonly ObjectVerdict[] {
  return listed === undefined ? [] : valuesOf(listed).filter(isVerdict);
}

function isVerdict(kept: Kept): kept is ObjectVerdict {
  return !isCount(kept);
}

function isCount(kept: Kept): kept is RequestCount {
  return "users" in kept;
}

function noCrds({ target }: Context): Blind {
  const message = `it holds no CustomResourceDefinition that would apply to this cluster, so nothing could be compared with ${target.text}`;
  return { reason: "NoTargetCrds", where: "the target's folder", message };
}

/** A CRD that is only created where there is none (create-only) is among the manifests: the target has it, and leaves today's alone. */
function missingNotice(installed: readonly InstalledCrd[], { release, source, target }: Context): readonly string[] {
  const shipped = new Set(
    release.manifests.filter(({ kind }) => kind === "CustomResourceDefinition").map(({ name }) => name),
  );
  const lost = installed.filter(({ crd, ofPayload }) => ofPayload && !shipped.has(crd.name)).map(({ crd }) => crd.name);
  if (lost.length === 0 || release.crds.length === 0) return [];
  const [which, objects] = lost.length === 1 ? ["a CRD", "Its objects"] : [`${lost.length} CRDs`, "Their objects"];
  return [
    `The target's folder (${target.text}) brings no definition of ${which} that ${minorText(source)} has here: ${listed(lost.toSorted(byText))}. ${objects} were not judged.`,
  ];
}
