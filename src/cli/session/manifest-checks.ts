import { separateCopies } from "../../manifests/checks/copies.ts";
import { evaluateOnFiles } from "../../manifests/checks/evaluate-on-files.ts";
import { type CheckStatement, buildGeneral, placeJudgement } from "../../manifests/checks/place-judgement.ts";
import {
  type Check,
  type Context,
  type Unknown,
  buildContext,
  findKubernetesBoundary,
  isOn,
} from "../../model/check.ts";
import type { Crd } from "../../model/crd.ts";
import type { JsonObject } from "../../model/json.ts";
import type { Manifest } from "../../model/manifest.ts";
import { type Platform, type Version, getMinorOrdinal, parseMinorOrdinal } from "../../model/version.ts";
import { buildPlainFacts } from "../../runner/facts/cluster-facts.ts";
import { attempt } from "../../runner/plan/check-code.ts";
import { buildVersionRelease } from "../target-release/target.ts";

/** The checks that run on objects in files. `now`: for what expires. */
export type ManifestChecks = { readonly checks: readonly Check[]; readonly now: Date };

/** `version`: undefined if CRDs alone are the target. */
type CheckTarget = { readonly version?: Version; readonly platform: Platform };

/** What checks say of manifests: of each set of copies that a cluster could have, every statement once. */
export function runManifestChecks<M extends Manifest>(
  manifests: readonly M[],
  { checks, now }: ManifestChecks,
  { version, platform }: CheckTarget,
  crds: readonly Crd[],
): readonly CheckStatement[] {
  if (checks.length === 0) return [];
  if (version === undefined) return checks.map((check) => buildGeneral(check, buildNoRelease(check)));
  const release = buildVersionRelease(version, undefined, "", buildPlainFacts(version));
  const context = buildContext(version, release, now, platform);
  const own = checks.filter((check) => isConcerned(check, context));
  const { sets, beyond } = separateCopies(manifests);
  const statements = sets.flatMap((set) => {
    const objects = set.map(({ object }) => object);
    return own.flatMap((check) => runCheck(check, objects, crds, context));
  });
  return dropRepeated([...statements, ...(own.length === 0 ? [] : beyond.map(buildTooMany))]);
}

function buildNoRelease({ id }: Check): Unknown {
  const message = "without a release nobody knows whether it applies: name one with --to or --target";
  return { reason: "TargetUnknown", where: `check ${id}`, message };
}

/** An update to the target may come from any version, so that it crosses all minors up to its own. */
function isConcerned(check: Check, { platform, target, kubernetes }: Context): boolean {
  if (!isOn(platform, check)) return false;
  if (check.applies.kind !== "crosses") return true;
  if (platform === "openshift") return parseMinorOrdinal(check.applies.minor) <= getMinorOrdinal(target);
  return (findKubernetesBoundary(check.applies) ?? 0) <= kubernetes.target;
}

function runCheck(
  check: Check,
  objects: readonly JsonObject[],
  crds: readonly Crd[],
  context: Context,
): readonly CheckStatement[] {
  const work = attempt(check, () =>
    limitFindings(check, placeJudgement(check, evaluateOnFiles(check, objects, crds, context), objects, context)),
  );
  return work.kind === "done" ? work.value : [buildGeneral(check, work.unknown)];
}

/** As many of each risk as a report of a cluster names. */
function limitFindings(check: Check, statements: readonly CheckStatement[]): readonly CheckStatement[] {
  const { mostFindings = Infinity } = check.special ?? {};
  const counts = new Map<string, number>();
  const within = statements.filter((one) => {
    if (one.kind !== "finding") return true;
    const count = (counts.get(one.finding.risk) ?? 0) + 1;
    counts.set(one.finding.risk, count);
    return count <= mostFindings;
  });
  const omitted = statements.length - within.length;
  if (omitted === 0) return within;
  const message = `${omitted} more of its findings are not listed`;
  return [...within, buildGeneral(check, { reason: "TooManyObjects", where: `check ${check.id}`, message })];
}

function buildTooMany({ object }: Manifest): CheckStatement {
  const message = "The files have too many copies of this object: checks have not judged this one.";
  return { kind: "unknown", object, unknown: { reason: "TooManyObjects", path: [], message } };
}

/** Sets differ in a few objects, and say the same of all others. */
function dropRepeated(statements: readonly CheckStatement[]): readonly CheckStatement[] {
  const known = new Map<JsonObject | undefined, Set<string>>();
  return statements.filter((one) => {
    const object = one.kind === "general" ? undefined : one.object;
    const texts = known.get(object) ?? new Set();
    const text = JSON.stringify(one.kind === "finding" ? one.finding : one.unknown);
    const isNew = !texts.has(text);
    known.set(object, texts.add(text));
    return isNew;
  });
}
