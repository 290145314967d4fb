import { type Json, type JsonObject, isList, isObject } from "../../model/json.ts";
import { ITEMS, type MemberPath } from "../../model/needed-fields.ts";
import { LAST_APPLIED } from "../../model/object.ts";
import type { KeptPart } from "../../model/reader.ts";
import { REDACTED } from "../../model/secrets/secret-forms.ts";
import { listKeptPaths } from "./kept-fields.ts";
import { isReducedText } from "./opaque-fields.ts";
import type { RecordedEntry } from "./recorded-entry.ts";

/** No path of the API: what `record` kept of objects that have more, as lists of names by the path of the read. */
export const KEPT_PATH = "/kept-fields";

/** How `record` begins its file. One that somebody wrote by hand, or that kubectl printed, holds whole objects. */
const RECORDED = '{\n"/';

/** What a recording has of an object, or of all of a list, which are added one by one. */
export type PartBuilder = {
  /** `text`: the object as JSON. */
  readonly add: (object: JsonObject, text: string) => void;
  readonly describe: () => KeptPart;
};

export type OpenKeptPart = (path: string, isOfList: boolean) => PartBuilder;

const WHOLE: PartBuilder = { add: () => undefined, describe: () => ({}) };

/** What a recording does not say, as an older one says nothing: then it has what checks in TypeScript read. */
export function createKeptFinder(text: string, recording: ReadonlyMap<string, RecordedEntry>): OpenKeptPart {
  const entry = recording.get(KEPT_PATH);
  if (entry === undefined && !text.startsWith(RECORDED)) return () => WHOLE;
  const said = entry?.kind === "object" ? entry.object : {};
  return (path, isOfList) => {
    const hidden = createHiddenValues();
    let first: JsonObject | undefined;
    return {
      add(object, json) {
        first ??= object;
        hidden.add(object, json);
      },
      describe() {
        const keptFields = parsePaths(said, path) ?? (first && listKeptPaths(first, [], isOfList));
        return { ...(keptFields && { keptFields }), ...hidden.list() };
      },
    };
  };
}

function parsePaths(kept: JsonObject, path: string): KeptPart["keptFields"] {
  const paths = Object.hasOwn(kept, path) ? kept[path] : undefined;
  if (!isList(paths)) return undefined;
  return paths.filter(isList).map((steps) => steps.filter((step) => typeof step === "string"));
}

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

function createHiddenValues(): HiddenValues {
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
