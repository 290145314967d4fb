import type { Context, Unknown } from "../../model/check.ts";
import { getCommandName } from "../../model/commands.ts";
import { formatRef } from "../../model/resource.ts";
import { joinNames } from "../../model/text.ts";
import { type CrdPair, formatTargetName, getMinors } from "./crd-pair.ts";
import { planKind } from "./kind-plan.ts";
import type { ObjectVerdict } from "./object-verdict.ts";

/** What only a conversion webhook decides, once for a kind that has objects. */
export function buildConversionUnknowns(
  pair: CrdPair,
  verdicts: readonly ObjectVerdict[],
  context: Context,
): readonly Unknown[] {
  const [first] = verdicts;
  const converted = planKind(pair, getMinors(context))?.converted ?? [];
  const [one] = converted;
  if (first === undefined || one === undefined) return [];
  const { name, plural, group } = pair.installed;
  const versions = joinNames(converted.map(({ version }) => version));
  const whose = converted.length === 1 ? "whose schema gets" : "whose schemas get";
  const where = one.path === "" ? "" : ` (first at ${one.path})`;
  const client = getCommandName(context.platform);
  const command = `${client} get ${plural}.${one.version}.${group} -A -o json | ${client} replace --dry-run=server -f -`;
  const message = `a webhook converts objects such as ${formatRef(first.object)} to ${versions}, ${whose} stricter in ${formatTargetName(context)}${where}, and preflight does not call it; on a test cluster with the target's CRD and webhook, "${command}" shows whether they fit`;
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
