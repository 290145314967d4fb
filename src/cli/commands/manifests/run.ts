import { judgeByRisk, selectAcceptedNames } from "../../../format/view/acceptances.ts";
import { manifestsFormats } from "../../../format/manifests/index.ts";
import { createCrdCatalog } from "../../../manifests/custom-resources/crd-catalog.ts";
import { createCustomResourceJudge } from "../../../manifests/custom-resources/custom-resource-judge.ts";
import { createDefinitionJudge } from "../../../manifests/custom-resources/definition-judge.ts";
import { judgeManifests } from "../../../manifests/judge-manifests.ts";
import { readManifests } from "../../../manifests/files/read-manifests.ts";
import { parseCrd } from "../../../model/crd.ts";
import { FailedError, UsageError } from "../../../model/errors.ts";
import { type JsonObject, textAt } from "../../../model/json.ts";
import type { Manifest, PlacedFinding, UnreadManifest } from "../../../model/manifest.ts";
import { type ManifestsReport, countsAsRisk, leavesUnknown } from "../../../model/manifests-report.ts";
import { VERSION } from "../../../model/program-version.ts";
import { formatRef } from "../../../model/resource.ts";
import { sortNames } from "../../../model/text.ts";
import { formatTime } from "../../../model/time.ts";
import process from "node:process";
import type { Io } from "../../io/io.ts";
import { collectAcceptances } from "../../session/acceptances.ts";
import { getExitCode, printResult, toVerdict } from "../../session/result.ts";
import type { ManifestsValues } from "./definition.ts";
import { type JudgingTarget, readGivenTarget } from "./target.ts";

/** Judges manifests by a target; resolves with the exit code. */
export async function run(values: ManifestsValues, io: Io): Promise<0 | 3 | 4> {
  const { paths } = values;
  if (paths.includes("-") && values.crds === "-") throw new UsageError("only one of PATH and --crds can be stdin");
  const target = await readGivenTarget(values, io);
  const read = await collectManifests(paths);
  const judged = judge(read.manifests, target);
  const accepted = findAccepted(judged.findings, values, io);
  const report: ManifestsReport = {
    paths: paths.map((path) => (path === "-" ? "stdin" : path)),
    target: target.name,
    kubernetes: `1.${target.kubernetes}`,
    objects: read.manifests.length,
    ...judged,
    unread: read.unread,
    accepted,
  };
  await printResult(values.output, (name, style) => manifestsFormats[name]({ report, version: VERSION, ...style }), io);
  const isIncomplete = report.unknowns.length > 0 || report.unread.some(leavesUnknown);
  return getExitCode([toVerdict(report.findings.some(countsAsRisk(report)), isIncomplete)], values["fail-on"]);
}

type ReadFiles = { readonly manifests: readonly Manifest[]; readonly unread: readonly UnreadManifest[] };

/** Objects are few KiB each, and all are held, since a CRD may come after its objects. */
const MAX_OBJECTS = 100_000;

async function collectManifests(paths: readonly string[]): Promise<ReadFiles> {
  const manifests: Manifest[] = [];
  const unread: UnreadManifest[] = [];
  for await (const one of readManifests(paths, process.stdin)) {
    if ("object" in one) manifests.push(one);
    else unread.push(one);
    if (manifests.length > MAX_OBJECTS)
      throw new FailedError(`there are more than ${MAX_OBJECTS} objects: give fewer files`);
  }
  if (manifests.length === 0 && !unread.some(leavesUnknown))
    throw new FailedError(`${paths.join(" ")} has no manifest: give a file or a folder with some`);
  return { manifests, unread };
}

function judge(
  manifests: readonly Manifest[],
  { crds, kubernetes }: JudgingTarget,
): Pick<ManifestsReport, "findings" | "unknowns"> {
  const own = manifests.flatMap(({ object }) => parseCrd(object) ?? []);
  const catalog = createCrdCatalog(crds, own);
  const judges = [createCustomResourceJudge(catalog, kubernetes), createDefinitionJudge(kubernetes)];
  const describeUnjudged = (object: JsonObject) => ({
    reason: "NoCrd",
    path: ["kind"],
    message: `neither the target nor these files define ${textAt(object, "kind") ?? ""} (${textAt(object, "apiVersion") ?? ""})${catalog.describeNearest(textAt(object, "kind") ?? "")}`,
  });
  return judgeManifests(manifests, { judges, describeUnjudged });
}

function findAccepted(findings: readonly PlacedFinding[], values: ManifestsValues, io: Io): readonly string[] {
  const byRisk = Map.groupBy(findings, ({ risk }) => risk);
  const listObjects = (risk: string): readonly string[] | undefined => {
    const own = byRisk.get(risk);
    return own && sortNames(own.map(({ object }) => formatRef(object)));
  };
  return [...selectAcceptedNames(judgeByRisk(collectAcceptances(values), formatTime(io.now()), listObjects))];
}
