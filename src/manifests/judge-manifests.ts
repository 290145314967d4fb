import { type JsonObject, compareText, textAt } from "../model/json.ts";
import type {
  Manifest,
  ManifestJudge,
  ManifestPath,
  ManifestPlace,
  ManifestUnknown,
  PlacedFinding,
  PlacedUnknown,
} from "../model/manifest.ts";
import { MANIFEST_EFFECTS } from "../model/manifests-report.ts";
import { refOf } from "../model/resource.ts";

/** Who judges: each object by all that apply. `describeUnjudged`: why none does. */
export type ManifestJudges = {
  readonly judges: readonly ManifestJudge[];
  readonly describeUnjudged: (object: JsonObject) => ManifestUnknown;
};

type JudgedManifests = { readonly findings: readonly PlacedFinding[]; readonly unknowns: readonly PlacedUnknown[] };

/** Judges objects kind by kind, so that one schema at a time is in memory. */
export function judgeManifests(manifests: readonly Manifest[], judges: ManifestJudges): JudgedManifests {
  const all = [...Map.groupBy(manifests, getKind)].flatMap(([, own]) => own.map((one) => judgeManifest(one, judges)));
  return {
    findings: all.flatMap(({ findings }) => findings).toSorted(compareFindings),
    unknowns: all.flatMap(({ unknowns }) => unknowns).toSorted(comparePlaces),
  };
}

function getKind({ object }: Manifest): string {
  return `${textAt(object, "apiVersion") ?? ""} ${textAt(object, "kind") ?? ""}`;
}

function judgeManifest({ object, locate }: Manifest, { judges, describeUnjudged }: ManifestJudges): JudgedManifests {
  const verdicts = judges.map((judge) => judge(object)).filter((verdict) => verdict.applies);
  const place = <T extends { readonly path: ManifestPath }>(one: T): T & Pick<PlacedFinding, "object" | "place"> => ({
    ...one,
    object: refOf(object),
    place: locate(one.path),
  });
  const unknowns = verdicts.flatMap((verdict) => verdict.unknowns);
  return {
    findings: verdicts.flatMap((verdict) => verdict.findings).map(place),
    unknowns: (verdicts.length === 0 ? [describeUnjudged(object)] : unknowns).map(place),
  };
}

function compareFindings(a: PlacedFinding, b: PlacedFinding): number {
  return MANIFEST_EFFECTS.indexOf(a.effect) - MANIFEST_EFFECTS.indexOf(b.effect) || comparePlaces(a, b);
}

type Placed = { readonly place: ManifestPlace; readonly message: string };

function comparePlaces(a: Placed, b: Placed): number {
  return (
    compareText(a.place.file, b.place.file) ||
    a.place.line - b.place.line ||
    a.place.column - b.place.column ||
    compareText(a.message, b.message)
  );
}
