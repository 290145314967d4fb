import type { Context } from "../../model/check.ts";
import { at, formatCanonicalJson, type Json, objectAt, parseObject } from "../../model/json.ts";
import { summarizeNames } from "../../model/names.ts";
import type { CrdPair } from "./crd-pair.ts";
import { formatTargetName } from "./target-name.ts";

/** Stored objects were defaulted when they were written, so a new default only reaches new objects. That is a notice, not a risk. */
export function buildDefaultNotices({ installed, target }: CrdPair, context: Context): readonly string[] {
  return target.versions.flatMap((after) => {
    const before = installed.versions.find(({ name }) => name === after.name);
    if (before === undefined || before.schema === after.schema) return [];
    const changes = findDefaultChanges(parseObject(before.schema), parseObject(after.schema), "");
    if (changes.length === 0) return [];
    return [
      `${formatTargetName(context)} changes defaults in version ${after.name} of ${target.name}: ${summarizeNames(changes)}. Objects that have the field keep its value; all others get the new default.`,
    ];
  });
}

/** 'spec.mode from "A" to "B"', for fields that have a default in both schemas. */
function findDefaultChanges(before: Json | undefined, after: Json | undefined, path: string): readonly string[] {
  if (before === undefined || after === undefined) return [];
  const [current, next] = [at(before, "default"), at(after, "default")];
  const own = current === undefined || next === undefined ? [] : describeChange(path, current, next);
  const properties = Object.entries(objectAt(after, "properties")).flatMap(([name, child]) =>
    findDefaultChanges(at(before, "properties", name), child, path === "" ? name : `${path}.${name}`),
  );
  const elements = ["items", "additionalProperties"].flatMap((keyword) =>
    findDefaultChanges(at(before, keyword), at(after, keyword), `${path}[*]`),
  );
  return [...own, ...properties, ...elements];
}

const MAX_LENGTH = 60;

function describeChange(path: string, before: Json, after: Json): readonly string[] {
  const [current, next] = [formatCanonicalJson(before), formatCanonicalJson(after)];
  return current === next ? [] : [`${path} from ${shorten(current)} to ${shorten(next)}`];
}

function shorten(text: string): string {
  return text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH)}... (shortened)` : text;
}
