import { type JsonObject, isList } from "../../model/json.ts";
import type { KeptPart } from "../../model/reader.ts";
import { createHiddenValues } from "./hidden-values.ts";
import { listKeptPaths } from "./kept-fields.ts";
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
