import {
  type Check,
  type Context,
  type Effect,
  type Finding,
  type Unknown,
  getRemediation,
} from "../../model/check.ts";
import type { JsonObject } from "../../model/json.ts";
import type {
  ManifestEffect,
  ManifestFinding,
  ManifestPlace,
  ManifestUnknown,
  PlacedUnknown,
} from "../../model/manifest.ts";
import { buildRefKey, formatRef, refOf } from "../../model/resource.ts";
import { toLine } from "../../model/visible-text.ts";
import { parseFieldPath } from "../field-paths.ts";

/** What a check says of an object of files, or of none. */
export type CheckStatement =
  | { readonly kind: "finding"; readonly object: JsonObject; readonly finding: ManifestFinding }
  | { readonly kind: "unknown"; readonly object: JsonObject; readonly unknown: ManifestUnknown }
  | { readonly kind: "general"; readonly unknown: PlacedUnknown };

/** What a check found, and what it could not judge, with the objects that it was about. */
export function placeJudgement(
  check: Check,
  { findings = [], unknowns = [] }: { readonly findings?: readonly Finding[]; readonly unknowns?: readonly Unknown[] },
  objects: readonly JsonObject[],
  context: Context,
): readonly CheckStatement[] {
  const byKey = new Map(objects.map((object) => [buildRefKey(refOf(object)), object]));
  const byName = new Map(objects.map((object) => [formatRef(refOf(object)), object]));
  const place = (finding: Finding): CheckStatement => {
    const object = byKey.get(buildRefKey(finding.object));
    return object === undefined
      ? buildGeneral(check, buildElsewhere(check, finding))
      : { kind: "finding", object, finding: buildFinding(check, finding, object, context) };
  };
  const placeUnknown = (unknown: Unknown): CheckStatement => {
    const object = byName.get(unknown.where) ?? byName.get(cutToRef(unknown.where));
    return object === undefined
      ? buildGeneral(check, unknown)
      : { kind: "unknown", object, unknown: buildUnknown(check, unknown) };
  };
  return [...findings.map(place), ...unknowns.map(placeUnknown)];
}

/** "Deployment shop/web" of "Deployment shop/web spec.replicas". */
function cutToRef(where: string): string {
  return where.split(" ").slice(0, 2).join(" ");
}

const EFFECTS: Readonly<Record<Effect, ManifestEffect>> = {
  refused: "blocks",
  notRecommended: "blocks",
  stuck: "blocks",
  broken: "breaks",
};

function buildFinding(check: Check, finding: Finding, object: JsonObject, context: Context): ManifestFinding {
  const risk = check.risks.find(({ name }) => name === finding.risk);
  if (risk === undefined) throw new Error(`${check.id} reported ${finding.risk}, a risk that it does not declare`);
  return {
    risk: risk.name,
    effect: EFFECTS[risk.effect],
    path: parseFieldPath(object, finding.path ?? ""),
    message: toLine(finding.message),
    remedy: toLine(getRemediation(risk, context, [finding])),
    ...(check.origin === undefined ? {} : { origin: check.origin }),
  };
}

function buildElsewhere({ id }: Check, { risk, object }: Finding): Unknown {
  const message = `${risk} is about ${formatRef(object)}, which is not in the files`;
  return { reason: "NotReported", where: `check ${id}`, message };
}

function buildUnknown({ id }: Check, { reason, message }: Unknown): ManifestUnknown {
  return { reason, path: [], message: `The check ${id} could not judge it: ${toSentence(message)}` };
}

/** Of no object that is in the files: where the check itself stands. */
export function buildGeneral(check: Check, { reason, where, message }: Unknown): CheckStatement {
  const fault = where.startsWith("check ") || parsePlace(where) !== undefined ? message : `${where}: ${message}`;
  const text = `The check ${check.id} could not judge everything: ${toSentence(fault)}`;
  const object = { apiVersion: "preflight.openshift.io/v1alpha1", kind: "PreflightCheck", name: check.id };
  const place = parsePlace(where) ?? { file: check.origin?.file ?? check.id, line: 1, column: 1 };
  return { kind: "general", unknown: { reason, path: [], message: text, object, place } };
}

function toSentence(message: string): string {
  return `${toLine(message).replace(/\.$/, "")}.`;
}

/** Of a check that can't be loaded. */
function parsePlace(where: string): ManifestPlace | undefined {
  const [, file, line, column] = /^(.+):(\d+):(\d+)$/.exec(where) ?? [];
  return file === undefined ? undefined : { file, line: Number(line), column: Number(column) };
}
