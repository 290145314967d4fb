import crdSkew from "../../../checks/crd-skew/check.ts";
import { crdsFormats } from "../../../format/crds.ts";
import type { CrdChange, CrdsReport } from "../../../model/crd-changes.ts";
import { FailedError, UsageError } from "../../../model/errors.ts";
import type { Release } from "../../../model/release.ts";
import type { Report } from "../../../model/report.ts";
import { type Version, parseKubernetesVersion } from "../../../model/version.ts";
import { buildPlainFacts } from "../../../runner/facts/cluster-facts.ts";
import { runCycle } from "../../../runner/cycle.ts";
import { type CrdSet, type VariantChoice, readCrdPlaces, parseVariantChoice, readCrdSet } from "./crd-set.ts";
import { type GivenObject, buildPlaceKey, createCrdReader, readGivenObjects, sortObjects } from "./objects.ts";
import {
  buildSchemaChanges,
  buildUnservedChanges,
  buildVerdictChanges,
  sortChanges,
  listLeftOutCrds,
  listUnknowns,
} from "./crds-report.ts";
import type { CrdsValues } from "./definition.ts";
import { getExitCode, toVerdict, printResult } from "../../session/result.ts";
import type { Io } from "../../io/io.ts";
import { VERSION } from "../../../model/program-version.ts";

/** Compares two sets of CRDs without a cluster; resolves with the exit code. */
export async function run(values: CrdsValues, io: Io): Promise<0 | 3 | 4> {
  const version = requireKubernetes(values["kubernetes-version"]);
  const choice = parseVariantChoice(values);
  if (values.from === "-" && values.to === "-") throw new UsageError("only one of --from and --to can be stdin");
  // What decides on variants, of a cluster that there is none of.
  const facts = { ...buildPlainFacts(version, choice.featureSet), profile: choice.profile };
  const from = await readCrdSet("from", values, facts, io);
  const to = await readCrdSet("to", values, facts, io);
  const objects = values.objects === undefined ? [] : await readGivenObjects(values.objects);
  const kubernetes = `v${version.text}`;
  const report = await buildReport({ from, to, objects, objectsPath: values.objects ?? "", kubernetes, choice }, io);
  await printResult(values.output, (name, style) => crdsFormats[name]({ report, version: VERSION, ...style }), io);
  const { sure = [], open = [] } = Object.groupBy(report.changes, ({ effect }) =>
    effect === "mayBeStricter" ? "open" : "sure",
  );
  return getExitCode([toVerdict(sure.length > 0, open.length + report.unknowns.length > 0)], values["fail-on"]);
}

function requireKubernetes(text: string): Version {
  const version = parseKubernetesVersion(/^v?1\.\d+$/.test(text) ? `${text}.0` : text);
  if (version !== undefined) return version;
  throw new UsageError(`--kubernetes-version "${text}" is not a version of Kubernetes such as v1.34`);
}

type CrdsInput = {
  readonly from: CrdSet;
  readonly to: CrdSet;
  readonly objects: readonly GivenObject[];
  readonly objectsPath: string;
  readonly kubernetes: string;
  readonly choice: VariantChoice;
};

async function buildReport(input: CrdsInput, io: Io): Promise<CrdsReport> {
  const { from, to, objects, kubernetes, choice } = input;
  const sorted = sortObjects(objects, input.objectsPath, from, to);
  const variants = listLeftOutCrds(from, to, choice);
  const { outcome } = await judge(createCrdReader(from.release.crds, sorted.judged, kubernetes), to.release, io);
  const places = await readCrdPlaces(to);
  const addPlace = (change: CrdChange): CrdChange => {
    const objectPlace = change.object && sorted.places.get(buildPlaceKey(change.object));
    return objectPlace === undefined ? change : { ...change, objectPlace };
  };
  return {
    from: from.path,
    to: to.path,
    kubernetes,
    featureSet: choice.featureSet,
    profile: choice.profile,
    isAnnotated: from.isAnnotated || to.isAnnotated,
    crds: to.release.crds.length,
    objects: sorted.judged.length,
    notJudged: { ...countCrds(variants.unknowns), objects: objects.length - sorted.judged.length },
    changes: sortChanges([
      ...buildVerdictChanges(outcome, to.release.crds, places).map(addPlace),
      ...buildUnservedChanges(sorted.judged, from.release.crds, to.release.crds, places).map(addPlace),
      ...buildSchemaChanges(from.release.crds, to, places),
    ]),
    unknowns: listUnknowns({ sets: [from, to], choice, outcome, variants, objects: sorted }),
    leftOut: variants.leftOut,
    // Who uses a version, only a cluster shows; that it is gone is among the changes.
    notices: [
      ...(outcome.kind === "notApplicable" ? [] : outcome.notices.filter((notice) => !notice.includes("this cluster"))),
      ...sorted.notices,
    ],
  };
}

function countCrds(unknowns: CrdsReport["unknowns"]): { readonly crds: number; readonly variants: number } {
  const variants = unknowns.filter(({ isOtherVariant }) => isOtherVariant).length;
  return { crds: unknowns.length - variants, variants };
}

async function judge(
  reader: ReturnType<typeof createCrdReader>,
  release: Release,
  io: Io,
): Promise<Report["checks"][number]> {
  const target = { kind: "read", select: () => release } as const;
  const limits = { concurrency: 1, checkTimeout: 600_000, cycleTimeout: 600_000 };
  const asked = { selection: { checks: [crdSkew] }, reader, target, limits };
  const result = await runCycle({ ...asked, now: io.now(), signal: io.stopSignal });
  if (result.kind === "failed") throw new FailedError(result.failure.message);
  const [check] = result.report.checks;
  if (check === undefined) throw new FailedError("no check ran");
  return check;
}
