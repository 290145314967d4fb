import { basename } from "node:path";
import { formatCount } from "../../../model/count.ts";
import type { NotJudged } from "../../../model/crd-changes.ts";
import { type JsonObject, textAt } from "../../../model/json.ts";
import { summarizeNames } from "../../../model/names.ts";
import { type ObjectRef, formatRef, refOf } from "../../../model/resource.ts";
import { findNearestName } from "../../../model/nearest-name.ts";
import { findCrdOf, getVersion, serves } from "./crds-report.ts";
import type { CrdSet } from "./crd-set.ts";
import type { GivenObject } from "./given-objects.ts";

/** The objects that both sets of CRDs can judge, and what else was given. */
export type SortedObjects = {
  readonly judged: readonly JsonObject[];
  readonly unknowns: readonly NotJudged[];
  /** Objects of what only the new CRDs have: no change of a released CRD can break them. */
  readonly notices: readonly string[];
};

type Verdict =
  | { readonly kind: "judged"; readonly object: JsonObject }
  | { readonly kind: "new"; readonly what: string; readonly ref: ObjectRef }
  | { readonly kind: "unknown"; readonly unknown: NotJudged };

/** `path`: the file or folder that they come from. */
export function sortObjects(given: readonly GivenObject[], path: string, from: CrdSet, to: CrdSet): SortedObjects {
  const verdicts = given.map((one) => judge(one, from, to));
  const added = verdicts.filter((verdict) => verdict.kind === "new");
  const message = "all of its objects are of new CRDs or versions";
  const nothing: NotJudged = { reason: "NothingJudged", where: path, message };
  return {
    judged: verdicts.flatMap((verdict) => (verdict.kind === "judged" ? [verdict.object] : [])),
    unknowns: [
      ...(added.length > 0 && added.length === given.length ? [nothing] : []),
      ...verdicts.flatMap((verdict) => (verdict.kind === "unknown" ? [verdict.unknown] : [])),
    ],
    notices: [...Map.groupBy(added, ({ what }) => what)].map(([what, own]) => {
      const count = formatCount(own.length, "object");
      const were = own.length === 1 ? "was" : "were";
      return `${count} ${were} not judged, since ${what} is new: ${summarizeNames(own.map(({ ref }) => formatRef(ref)))}.`;
    }),
  };
}

/** What tools read beside the objects, and no API server. */
export function isToolFile({ file, object }: GivenObject): boolean {
  return (
    /^kustomization(?:\.ya?ml)?$/i.test(basename(file)) ||
    (textAt(object, "apiVersion") ?? "").startsWith("kustomize.config.k8s.io/")
  );
}

function judge({ file, object }: GivenObject, from: CrdSet, to: CrdSet): Verdict {
  const ref = refOf(object);
  const fail = (reason: NotJudged["reason"], message: string): Verdict => ({
    kind: "unknown",
    unknown: { reason, where: ref.kind === "" ? file : `${formatRef(ref)} (${ref.apiVersion})`, message, file },
  });
  if (ref.apiVersion === "" || ref.kind === "") return fail("NotAnObject", "it has no apiVersion or no kind");
  const before = findCrdOf(ref, from.release.crds);
  const after = findCrdOf(ref, to.release.crds);
  const crd = after ?? before;
  if (crd === undefined) return fail(...describeMissing(ref, from, to));
  if (before === undefined && from.applying.has(crd.name))
    return fail("CrdNotUsable", `its released CRD ${crd.name} can't be used`);
  if (after === undefined && to.applying.has(crd.name))
    return fail("CrdNotUsable", `its new CRD ${crd.name} can't be used`);
  const version = getVersion(ref);
  if (before !== undefined && serves(before, version)) return { kind: "judged", object };
  if (after === undefined || !serves(after, version))
    return fail("VersionNotServed", `no given CRD ${crd.name} serves version ${version}`);
  return { kind: "new", what: before === undefined ? `CRD ${crd.name}` : `version ${version} of ${crd.name}`, ref };
}

function describeMissing(
  ref: ObjectRef,
  from: CrdSet,
  to: CrdSet,
): readonly [reason: "CrdNotJudged" | "NoCrd", message: string] {
  const leftOut = findCrdOf(
    ref,
    [...to.leftOut, ...from.leftOut].map(({ crd }) => crd),
  );
  if (leftOut !== undefined) return ["CrdNotJudged", `no variant of its CRD ${leftOut.name} is judged`];
  const kinds = [from, to].flatMap(({ release }) => release.crds.map(({ kind }) => kind));
  const nearest = findNearestName(ref.kind, kinds);
  const hint = nearest === undefined || nearest === ref.kind ? "" : ` (nearest: ${nearest})`;
  return ["NoCrd", `no given CRD defines this kind${hint}`];
}
