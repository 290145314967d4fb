import { at, compareText, textAt } from "../model/json.ts";
import type {
  Manifest,
  ManifestEdit,
  ManifestFinding,
  ManifestJudge,
  ManifestPath,
  ManifestPlace,
  ManifestUnknown,
  PlacedFinding,
  PlacedUnknown,
} from "../model/manifest.ts";
import { MANIFEST_EFFECTS } from "../model/manifest.ts";
import { refOf } from "../model/resource.ts";
import { hasPlaceholder } from "./files/placeholders.ts";

type JudgedManifests<M> = {
  readonly findings: readonly PlacedFinding[];
  readonly unknowns: readonly PlacedUnknown[];
  readonly fixes: readonly ManifestFix<M>[];
};

/** What is certain to mend findings of one manifest. */
export type ManifestFix<M> = { readonly manifest: M; readonly edits: readonly ManifestEdit[] };

/** `other` judges what none of `judges` does. `known`: what is said of an object besides. */
type ManifestJudges = {
  readonly judges: readonly ManifestJudge[];
  readonly other: ManifestJudge;
  readonly known?: ManifestJudge;
};

/** Judges objects kind by kind, so that one schema at a time is in memory. */
export function judgeManifests<M extends Manifest>(manifests: readonly M[], by: ManifestJudges): JudgedManifests<M> {
  const all = [...Map.groupBy(manifests, getKind).values()].flatMap((own) => own.map((one) => judgeManifest(one, by)));
  return {
    findings: all.flatMap(({ findings }) => findings).toSorted(compareFindings),
    unknowns: all.flatMap(({ unknowns }) => unknowns).toSorted(comparePlaces),
    fixes: all.flatMap(({ fixes }) => fixes),
  };
}

function getKind({ object }: Manifest): string {
  return `${textAt(object, "apiVersion") ?? ""} ${textAt(object, "kind") ?? ""}`;
}

function judgeManifest<M extends Manifest>(manifest: M, { judges, other, known }: ManifestJudges): JudgedManifests<M> {
  const { object, locate, repeated = [] } = manifest;
  const verdicts = judges.map((judge) => judge(object)).filter((verdict) => verdict.applies);
  const rest = [...(verdicts.length === 0 ? [other(object)] : []), ...(known === undefined ? [] : [known(object)])];
  const told = [...verdicts, ...rest.filter((verdict) => verdict.applies)];
  const place = <T extends { readonly path: ManifestPath }>(one: T): T & Pick<PlacedFinding, "object" | "place"> => ({
    ...one,
    object: refOf(object),
    place: locate(one.path),
  });
  const { sure = [], open = [] } = Object.groupBy(
    told.flatMap((verdict) => verdict.findings),
    ({ path }) => (hasPlaceholder(at(object, ...path) ?? null) ? "open" : "sure"),
  );
  const edits = sure.flatMap((one) => one.edits ?? []);
  return {
    findings: [
      ...sure.map(place),
      ...repeated.map((one) => ({ ...buildRepeated(one.path), object: refOf(object), place: one.place })),
    ],
    unknowns: [...told.flatMap((verdict) => verdict.unknowns), ...open.map(buildNotRendered)].map(place),
    fixes: edits.length === 0 ? [] : [{ manifest, edits }],
  };
}

function buildNotRendered({ path }: ManifestFinding): ManifestUnknown {
  const message = "A placeholder stands here, and what it becomes decides: render it, and give what comes out.";
  return { reason: "NotRendered", path, message };
}

function buildRepeated(path: ManifestPath): ManifestFinding {
  return {
    risk: "ManifestFieldRepeated",
    effect: "dropped",
    path,
    message: "The field stands more than once here: only the last of its values counts.",
    remedy: "Remove all but one.",
  };
}

function compareFindings(a: PlacedFinding, b: PlacedFinding): number {
  return MANIFEST_EFFECTS.indexOf(a.effect) - MANIFEST_EFFECTS.indexOf(b.effect) || comparePlaces(a, b);
}

type Placed = { readonly place: ManifestPlace; readonly message: string };

export function comparePlaces(a: Placed, b: Placed): number {
  return (
    compareText(a.place.file, b.place.file) ||
    a.place.line - b.place.line ||
    a.place.column - b.place.column ||
    compareText(a.message, b.message)
  );
}
