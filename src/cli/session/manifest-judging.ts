import { stat } from "node:fs/promises";
import type { CheckStatement } from "../../manifests/checks/place-judgement.ts";
import { createCrdCatalog } from "../../manifests/custom-resources/crd-catalog.ts";
import { createCustomResourceJudge } from "../../manifests/custom-resources/custom-resource-judge.ts";
import { createDefinitionJudge } from "../../manifests/custom-resources/definition-judge.ts";
import type { FileManifest } from "../../manifests/files/parse-manifests.ts";
import { type ManifestFix, comparePlaces, judgeManifests } from "../../manifests/judge-manifests.ts";
import { createBuiltInJudge } from "../../manifests/judges/built-in-judge.ts";
import { judgeDrainBlocks } from "../../manifests/judges/drain-blocks.ts";
import { type Crd, parseCrd } from "../../model/crd.ts";
import { FailedError, failWith } from "../../model/errors.ts";
import { type JsonObject, textAt } from "../../model/json.ts";
import type {
  Manifest,
  ManifestFinding,
  ManifestJudge,
  ManifestUnknown,
  ManifestsReport,
  UnreadManifest,
} from "../../model/manifest.ts";
import { leavesUnknown } from "../../model/manifest.ts";
import { type Platform, type Version, getKubernetesMinor, getPlatform, parseVersion } from "../../model/version.ts";
import { type ClusterBeside, isOfCrds, readLiveObjects } from "./cluster-beside.ts";
import { type ManifestChecks, runManifestChecks } from "./manifest-checks.ts";

/** What manifests are judged by. */
export type JudgingTarget = {
  /** "4.20.3", "v1.36", with the CRDs that are given beside it. */
  readonly name: string;
  /** Absent if CRDs alone are the target. */
  readonly version?: Version;
  readonly platform: Platform;
  /** The minor of Kubernetes 1 whose API server judges. */
  readonly kubernetes: number;
  /** Those of --crds, which come before the release's own. */
  readonly given: readonly Crd[];
  readonly own: readonly Crd[];
};

export function findKubernetesMinor(version: Version, kubernetes: string | undefined): number {
  const minor = kubernetes === undefined ? undefined : parseVersion(kubernetes)?.minor;
  if (minor !== undefined) return minor;
  return getPlatform(version) === "kubernetes" ? version.minor : getKubernetesMinor(version);
}

type Judged<M> = Pick<ManifestsReport, "findings" | "unknowns" | "updates"> & {
  readonly fixes: readonly ManifestFix<M>[];
};

/** Judges manifests by a target and by checks, those that live in the cluster beside it as updates. */
export async function judgeByTarget<M extends Manifest>(
  manifests: readonly M[],
  target: JudgingTarget,
  beside: ClusterBeside | undefined,
  checks?: ManifestChecks,
): Promise<Judged<M>> {
  const { given, own, kubernetes, platform } = target;
  const objects = manifests.map(({ object }) => object);
  const ofFiles = objects.flatMap((object) => parseCrd(object) ?? []);
  const catalog = createCrdCatalog([...given, ...own], ofFiles, beside?.crds);
  const read = beside && (await readLiveObjects(objects, catalog, beside));
  const judges = [
    createCustomResourceJudge(catalog, kubernetes, read?.live),
    createDefinitionJudge(kubernetes),
    createBuiltInJudge({ platform, kubernetes }),
    createNotedJudge(judgeDrainBlocks(objects), read?.unknowns),
  ];
  const judgeOther: ManifestJudge = (object) => {
    const isMissing = beside !== undefined && isOfCrds(textAt(object, "apiVersion") ?? "", beside);
    const kind = describeKind(object, catalog.findNearestKind(textAt(object, "kind") ?? ""));
    return isMissing ? buildNotServed(kind) : buildNoCrd(kind);
  };
  const crds = [...given, ...own, ...ofFiles, ...(beside?.crds ?? [])];
  const statements = checks === undefined ? [] : runManifestChecks(manifests, checks, target, crds);
  const judged = judgeManifests(manifests, { judges, other: judgeOther, known: createStatementJudge(statements) });
  const general = statements.flatMap((one) => (one.kind === "general" ? [one.unknown] : []));
  return {
    ...judged,
    unknowns: [...judged.unknowns, ...general].toSorted(comparePlaces),
    updates: read?.live.size ?? 0,
  };
}

/** What checks said of each object. */
function createStatementJudge(statements: readonly CheckStatement[]): ManifestJudge {
  const byObject = Map.groupBy(statements, (one) => (one.kind === "general" ? undefined : one.object));
  return (object) => {
    const own = byObject.get(object) ?? [];
    return {
      applies: true,
      findings: own.flatMap((one) => (one.kind === "finding" ? [one.finding] : [])),
      unknowns: own.flatMap((one) => (one.kind === "unknown" ? [one.unknown] : [])),
    };
  };
}

/** What is known of objects before they are judged by themselves. */
function createNotedJudge(
  found: ReadonlyMap<JsonObject, readonly ManifestFinding[]>,
  unread: ReadonlyMap<JsonObject, ManifestUnknown> = new Map(),
): ManifestJudge {
  return (object) => {
    const findings = found.get(object) ?? [];
    const unknown = unread.get(object);
    const isNoted = findings.length > 0 || unknown !== undefined;
    return isNoted ? { applies: true, findings, unknowns: unknown === undefined ? [] : [unknown] } : { applies: false };
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

export type ReadFiles = { readonly manifests: readonly FileManifest[]; readonly unread: readonly UnreadManifest[] };

/** Objects are few KiB each, and all are held, since a CRD may come after its objects. */
const MAX_OBJECTS = 100_000;

/** Throws a FailedError for a path that can't be read, and if there is nothing to judge. */
export async function collectManifests(
  read: AsyncIterable<FileManifest | UnreadManifest>,
  sources: readonly string[],
): Promise<ReadFiles> {
  for (const path of sources) if (path !== "-") await stat(path).catch(failWith(`${path} can't be read`));
  const manifests: FileManifest[] = [];
  const unread: UnreadManifest[] = [];
  for await (const one of read) {
    if ("object" in one) manifests.push(one);
    else unread.push(one);
    if (manifests.length > MAX_OBJECTS)
      throw new FailedError(`there are more than ${MAX_OBJECTS} objects: give fewer files`);
  }
  if (manifests.length === 0 && !unread.some(leavesUnknown))
    throw new FailedError(`${sources.join(" ")} has no manifest: give a file or a folder with some`);
  return { manifests, unread };
}
