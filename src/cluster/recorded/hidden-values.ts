import { type Json, type JsonObject, isList, isObject } from "../../model/json.ts";
import { type MemberPath, ITEMS } from "../../model/needed-fields.ts";
import { LAST_APPLIED } from "../../model/object.ts";
import type { KeptPart } from "../../model/reader.ts";
import { REDACTED } from "../../model/secrets/secret-forms.ts";
import { isReducedText } from "./opaque-fields.ts";

/** What a recording reduces to names, by what stands before it in the text. */
const NAMES_ONLY: readonly (readonly [text: string, path: MemberPath])[] = [
  [`"${LAST_APPLIED}":`, ["metadata", "annotations", LAST_APPLIED]],
  ['"fieldsV1":', ["metadata", "managedFields", ITEMS, "fieldsV1"]],
];

/** Finds where recorded objects show something else than the cluster has. */
type HiddenValues = {
  /** `text`: the object as JSON. */
  readonly add: (object: JsonObject, text: string) => void;
  readonly list: () => Pick<KeptPart, "hiddenFields" | "reducedFields">;
};

export function createHiddenValues(): HiddenValues {
  const hidden = new Map<string, MemberPath>();
  const reduced = new Map<string, MemberPath>();
  return {
    add(object, text) {
      for (const [mark, path] of NAMES_ONLY) if (text.includes(mark)) hidden.set(mark, path);
      if (!text.includes(REDACTED)) return;
      for (const path of listMarked(object, [])) {
        const places = isReducedText(object, path) ? reduced : hidden;
        places.set(JSON.stringify(path), path);
      }
    },
    list: () => ({
      ...(hidden.size > 0 && { hiddenFields: [...hidden.values()] }),
      ...(reduced.size > 0 && { reducedFields: [...reduced.values()] }),
    }),
  };
}

function listMarked(value: Json, path: MemberPath): readonly MemberPath[] {
  if (isList(value)) return value.flatMap((item) => listMarked(item, [...path, ITEMS]));
  if (isObject(value))
    return Object.entries(value).flatMap(([key, member]) => [
      ...(key.includes(REDACTED) ? [path] : []),
      ...listMarked(member, [...path, key]),
    ]);
  return typeof value === "string" && value.includes(REDACTED) ? [path] : [];
}
