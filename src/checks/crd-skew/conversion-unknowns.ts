import type { Context, Unknown } from "../../model/check.ts";
import { getCommandName } from "../../model/commands.ts";
import { type ObjectRef, formatRef } from "../../model/resource.ts";
import { joinNames } from "../../model/text.ts";
import { type CrdPair, formatTargetName } from "./crd-pair.ts";
import type { ConvertedVersion, KindPlan } from "./kind-plan.ts";
import type { ObjectVerdict } from "./object-verdict.ts";

/** What only a conversion webhook decides, once for a kind that has objects. */
export function buildConversionUnknowns(
  pair: CrdPair,
  plan: KindPlan | undefined,
  verdicts: readonly ObjectVerdict[],
  context: Context,
): readonly Unknown[] {
  const [first] = verdicts;
  if (plan === undefined || first === undefined) return [];
  const { stored = [], converted = [] } = Object.groupBy(plan.converted, ({ isStored }) =>
    isStored ? "stored" : "converted",
  );
  return [
    ...describeStored(pair, first.object, stored, context),
    ...describeConverted(pair, first.object, converted, context),
  ];
}

/** " (first at spec.a)". */
function describePlace({ path }: ConvertedVersion): string {
  return path === "" ? "" : ` (first at ${path})`;
}

/** The API server reads an object by the target's schema of the version in which it is stored, before a webhook converts it. */
function describeStored(
  { installed }: CrdPair,
  example: ObjectRef,
  stored: readonly ConvertedVersion[],
  context: Context,
): readonly Unknown[] {
  const [one] = stored;
  if (one === undefined) return [];
  const versions = joinNames(stored.map(({ version }) => version));
  const message = `objects such as ${formatRef(example)} may be stored in ${versions}, where the schema changes in ${formatTargetName(context)}${describePlace(one)}, and what that drops before a webhook converts them is not shown; on a test cluster with the target's CRD and webhook, compare the objects before and after`;
  return [{ reason: "NotUnderstood", where: installed.name, message }];
}

function describeConverted(
  pair: CrdPair,
  example: ObjectRef,
  converted: readonly ConvertedVersion[],
  context: Context,
): readonly Unknown[] {
  const [one] = converted;
  if (one === undefined) return [];
  const { name, plural, group } = pair.installed;
  const versions = joinNames(converted.map(({ version }) => version));
  const whose = converted.length === 1 ? "whose schema gets" : "whose schemas get";
  const client = getCommandName(context.platform);
  const command = `${client} get ${plural}.${one.version}.${group} -A -o json | ${client} replace --dry-run=server -f -`;
  const message = `a webhook converts objects such as ${formatRef(example)} to ${versions}, ${whose} stricter in ${formatTargetName(context)}${describePlace(one)}, and preflight does not call it; on a test cluster with the target's CRD and webhook, "${command}" shows whether they fit`;
  return [{ reason: "NotUnderstood", where: name, message }];
}

/** Objects whose verdict depends on the version in which they are stored, which the API server doesn't show. */
export function buildStoredVersionUnknowns(
  { installed }: CrdPair,
  verdicts: readonly ObjectVerdict[],
): readonly Unknown[] {
  const open = verdicts.filter(({ mayBeStoredIn }) => mayBeStoredIn !== undefined);
  const [first] = open;
  if (first === undefined) return [];
  const version = first.mayBeStoredIn ?? "";
  const [more, are] = open.length === 1 ? ["", "it is"] : [` and ${open.length - 1} more`, "they are"];
  const message = `what the target makes of ${formatRef(first.object)}${more} depends on whether ${are} still stored in ${version}, which status.storedVersions lists and the API server does not show; rewrite all objects, and remove ${version} from status.storedVersions`;
  return [{ reason: "NotUnderstood", where: installed.name, message }];
}

/** Fields whose default goes or changes, and decides: whether a write stored the value is not shown. */
export function buildDefaultUnknowns(
  { installed }: CrdPair,
  verdicts: readonly ObjectVerdict[],
  context: Context,
): readonly Unknown[] {
  const open = verdicts.flatMap(({ object, defaultedFields }) =>
    defaultedFields.flatMap((field) => (field.isUnwritten ? [] : [{ object, field }])),
  );
  const [first] = open;
  if (first === undefined) return [];
  const count = new Set(open.map(({ object }) => formatRef(object))).size;
  const more = count === 1 ? "" : ` and of ${count - 1} more`;
  const { path, value, isLost } = first.field;
  const object = formatRef(first.object);
  const effect = isLost
    ? `removes the default of ${path}: ${value} of ${object}${more} is gone then if it was never stored, which`
    : `changes the default of ${path}: what it refuses of ${object}${more} depends on whether ${value} was ever stored there, which`;
  const message = `${formatTargetName(context)} ${effect} can't be seen; a server-side apply that sets the field stores it`;
  const at = { object: first.object, path, detail: { kind: "default" } };
  return [{ reason: "NotUnderstood", where: installed.name, message, at }];
}
