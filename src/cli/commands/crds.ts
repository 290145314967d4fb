import crdSkew from "../../checks/crd-skew/check.ts";
import { formatCrds } from "../../format/crds/crds-formats.ts";
import type { CrdsReport } from "../../model/crd-changes.ts";
import { FailedError, UsageError } from "../../model/errors.ts";
import type { JsonObject } from "../../model/json.ts";
import type { Release } from "../../model/release.ts";
import type { Report } from "../../model/report.ts";
import { parseKubernetesVersion } from "../../model/target-version.ts";
import { runCycle } from "../../runner/cycle.ts";
import { buildKubernetesFacts } from "../../runner/kubernetes-facts.ts";
import { type CrdPlaces, readCrdPlaces } from "../crds/crd-places.ts";
import { createCrdReader } from "../crds/crd-reader.ts";
import { buildSchemaChanges, buildUnservedChanges, buildVerdictChanges, sortChanges } from "../crds/crds-report.ts";
import { readGivenObjects } from "../crds/given-objects.ts";
import type { CrdsValues } from "../definitions/crds.ts";
import { getCrdsExitCode } from "../exit-code.ts";
import { readCrds } from "../inputs/crds.ts";
import { type TargetWithWarnings, printWarnings } from "../inputs/target.ts";
import { writeOutputFiles } from "../output-files.ts";
import { hasColour, type Io } from "../io.ts";
import { VERSION } from "../version.ts";

/** Compares two sets of CRDs without a cluster; resolves with the exit code. */
export async function run(values: CrdsValues, io: Io): Promise<number> {
  const kubernetes = requireKubernetes(values["kubernetes-version"]);
  if (values.from === "-" && values.to === "-") throw new UsageError("only one of --from and --to can be stdin");
  const from = selectCrds(await readCrdSet(values.from, io), kubernetes);
  const target = await readCrdSet(values.to, io);
  const objects = values.objects === undefined ? [] : await readGivenObjects(values.objects);
  const report = await buildReport(
    { from, target, objects, places: await readCrdPlaces(values.to) },
    kubernetes,
    values,
    io,
  );
  const { stdout, files } = values.output;
  const plain = { colour: false, width: io.width, version: VERSION };
  await writeOutputFiles(files, (format) => formatCrds(report, format, plain));
  const write = hasColour(io) ? io.outStyled : io.out;
  write(formatCrds(report, stdout, { ...plain, colour: hasColour(io) }));
  return getCrdsExitCode(report, values["fail-on"]);
}

function requireKubernetes(text: string): string {
  const full = /^v?1\.\d+$/.test(text) ? `${text}.0` : text;
  if (parseKubernetesVersion(full) === undefined)
    throw new UsageError(`--kubernetes-version "${text}" is not a version of Kubernetes such as v1.34`);
  return full.startsWith("v") ? full : `v${full}`;
}

type CrdSet = Extract<TargetWithWarnings, { kind: "read" }>;

async function readCrdSet(path: string, io: Io): Promise<CrdSet> {
  const read = await readCrds(path);
  if (read.kind === "failed") throw new FailedError(read.failure.message.replaceAll("--crds needs", "crds needs"));
  printWarnings(read, io);
  return read;
}

function selectCrds(set: CrdSet, kubernetes: string): Release {
  const facts = buildKubernetesFacts({ kind: "found", value: kubernetes });
  if (facts.kind === "failed") throw new FailedError(facts.failure.message);
  return set.select(facts.facts);
}

type CrdsInput = {
  readonly from: Release;
  readonly target: CrdSet;
  readonly objects: readonly JsonObject[];
  readonly places: CrdPlaces;
};

async function buildReport(
  { from, target, objects, places }: CrdsInput,
  kubernetes: string,
  values: CrdsValues,
  io: Io,
): Promise<CrdsReport> {
  const to = selectCrds(target, kubernetes);
  const { outcome } = await judge(createCrdReader(from.crds, objects, kubernetes), target, io);
  const unknowns = outcome.kind === "unknown" ? outcome.unknowns.filter(({ reason }) => reason !== "NotRecorded") : [];
  const problems = from.problems.map(({ reason, where, message }) => ({ reason, where, message }));
  return {
    from: values.from,
    to: values.to,
    kubernetes,
    crds: to.crds.length,
    objects: objects.length,
    changes: sortChanges([
      ...buildVerdictChanges(outcome, to.crds, places),
      ...buildUnservedChanges(objects, from.crds, to.crds, places),
      ...buildSchemaChanges(from.crds, to.crds, places),
    ]),
    unknowns: [...problems, ...unknowns],
    // Who uses a version, only a cluster shows; that it is gone is among the changes.
    notices:
      outcome.kind === "notApplicable" ? [] : outcome.notices.filter((notice) => !notice.includes("this cluster")),
  };
}

async function judge(
  reader: ReturnType<typeof createCrdReader>,
  target: CrdSet,
  io: Io,
): Promise<Report["checks"][number]> {
  const limits = { concurrency: 1, checkTimeout: 600_000, cycleTimeout: 600_000 };
  const result = await runCycle({ checks: [crdSkew], reader, target, now: io.now(), signal: io.stopSignal, ...limits });
  if (result.kind === "failed") throw new FailedError(result.failure.message);
  const [check] = result.report.checks;
  if (check === undefined) throw new FailedError("no check ran");
  return check;
}
