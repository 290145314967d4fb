import { type JsonObject, isList } from "../../model/json.ts";
import type { MemberPath } from "../../model/needed-fields.ts";
import { listKeptPaths } from "./kept-fields.ts";
import type { RecordedEntry } from "./recorded-entry.ts";

/** No path of the API: what `record` kept of objects that have more, as lists of names by the path of the read. */
export const KEPT_PATH = "/kept-fields";

/** How `record` begins its file. One that somebody wrote by hand, or that kubectl printed, holds whole objects. */
const RECORDED = '{\n"/';

/** The fields that a recording kept of an object, or of all of a list, of which the first is given; undefined: all. */
export type FindKept = (path: string, object: JsonObject | undefined, isOfList: boolean) => KeptPaths;

type KeptPaths = readonly MemberPath[] | undefined;

/** What a recording does not say, as an older one says nothing: then it has what checks in TypeScript read. */
export function createKeptFinder(text: string, recording: ReadonlyMap<string, RecordedEntry>): FindKept {
  const entry = recording.get(KEPT_PATH);
  if (entry === undefined && !text.startsWith(RECORDED)) return () => undefined;
  const said = entry?.kind === "object" ? entry.object : {};
  return (path, object, isOfList) => parsePaths(said, path) ?? (object && listKeptPaths(object, [], isOfList));
}

function parsePaths(kept: JsonObject, path: string): readonly MemberPath[] | undefined {
  const paths = Object.hasOwn(kept, path) ? kept[path] : undefined;
  if (!isList(paths)) return undefined;
  return paths.filter(isList).map((steps) => steps.filter((step) => typeof step === "string"));
}
