import { createCrdCatalog } from "../../../manifests/custom-resources/crd-catalog.ts";
import { createCustomResourceJudge } from "../../../manifests/custom-resources/custom-resource-judge.ts";
import { createDefinitionJudge } from "../../../manifests/custom-resources/definition-judge.ts";
import { type ManifestFix, judgeManifests } from "../../../manifests/judge-manifests.ts";
import { createBuiltInJudge } from "../../../manifests/judges/built-in-judge.ts";
import { judgeDrainBlocks } from "../../../manifests/judges/drain-blocks.ts";
import { parseCrd } from "../../../model/crd.ts";
import { type JsonObject, textAt } from "../../../model/json.ts";
import type { Manifest, ManifestJudge, ManifestSetJudge, ManifestUnknown } from "../../../model/manifest.ts";
import type { ManifestsReport } from "../../../model/manifests-report.ts";
import type { ClusterSession } from "../../client/connection.ts";
import { isOfCrds, readClusterCrds, readLiveObjects, readServedGroups } from "./cluster.ts";
import type { JudgingTarget } from "./target.ts";

type Judged<M> = Pick<ManifestsReport, "findings" | "unknowns" | "updates"> & {
  readonly fixes: readonly ManifestFix<M>[];
};

/** Judges manifests by a target, those that live in the cluster beside it as updates. */
export async function judgeByTarget<M extends Manifest>(
  manifests: readonly M[],
  { crds, kubernetes, platform }: JudgingTarget,
  session: ClusterSession | undefined,
): Promise<Judged<M>> {
  const objects = manifests.map(({ object }) => object);
  const beside = session && { crds: await readClusterCrds(session), groups: await readServedGroups(session) };
  const catalog = createCrdCatalog(
    crds,
    objects.flatMap((object) => parseCrd(object) ?? []),
    beside?.crds,
  );
  const read = session && beside && (await readLiveObjects(objects, catalog, beside.crds, session));
  const judges = [
    createCustomResourceJudge(catalog, kubernetes, read?.live),
    createDefinitionJudge(kubernetes),
    createBuiltInJudge({ platform, kubernetes }),
    createSetJudge(objects, judgeDrainBlocks(objects)),
    ...(read === undefined ? [] : [createReadJudge(read.unknowns)]),
  ];
  const judgeOther: ManifestJudge = (object) => {
    const isMissing = beside !== undefined && isOfCrds(textAt(object, "apiVersion") ?? "", beside.crds, beside.groups);
    const kind = describeKind(object, catalog.findNearestKind(textAt(object, "kind") ?? ""));
    return isMissing ? buildNotServed(kind) : buildNoCrd(kind);
  };
  return { ...judgeManifests(manifests, judges, judgeOther), updates: read?.live.size ?? 0 };
}

/** What is said of an object because of the others. */
function createSetJudge(objects: readonly JsonObject[], found: ReturnType<ManifestSetJudge>): ManifestJudge {
  const byObject = new Map(objects.map((object, i) => [object, found[i] ?? []]));
  return (object) => {
    const findings = byObject.get(object) ?? [];
    return findings.length === 0 ? { applies: false } : { applies: true, findings, unknowns: [] };
  };
}

function createReadJudge(unknowns: ReadonlyMap<JsonObject, ManifestUnknown>): ManifestJudge {
  return (object) => {
    const unknown = unknowns.get(object);
    return unknown === undefined ? { applies: false } : { applies: true, findings: [], unknowns: [unknown] };
  };
}

function describeKind(object: JsonObject, nearest: string | undefined): string {
  const near = nearest === undefined ? "" : `; nearest: ${nearest}`;
  return `${textAt(object, "kind") ?? ""} (${textAt(object, "apiVersion") ?? ""}${near})`;
}

function buildNoCrd(kind: string): ReturnType<ManifestJudge> {
  const message = `Neither the target nor these files define ${kind}: give its CRD with --crds.`;
  return { applies: true, findings: [], unknowns: [{ reason: "NoCrd", path: ["kind"], message }] };
}

function buildNotServed(kind: string): ReturnType<ManifestJudge> {
  const message = `Neither the target nor the cluster nor these files define ${kind}: the API server refuses it.`;
  const remedy = "Install what brings its CRD first, or correct apiVersion and kind.";
  const finding = { risk: "KindNotServed", effect: "refused", path: ["kind"], message, remedy } as const;
  return { applies: true, findings: [finding], unknowns: [] };
}
