import { type JsonObject, textAt } from "../../../../model/json.ts";
import type { Reader } from "../../../../model/reader.ts";
import { buildResourcePath, formatRef, refOf } from "../../../../model/resource.ts";
import { isNamed } from "./object-name.ts";

/** The objects of a name that lists held, by the path of their kind: also those that the check does not keep. */
export type SeenObjects = ReadonlyMap<string, readonly JsonObject[]>;

export function watchObjects(reader: Reader, name: string): { readonly reader: Reader; readonly seen: SeenObjects } {
  const seen = new Map<string, JsonObject[]>();
  return { reader: watch(reader, name, seen), seen };
}

function watch(reader: Reader, name: string, seen: Map<string, JsonObject[]>): Reader {
  return {
    ...reader,
    list: (resource, begin, ...more) =>
      reader.list(
        resource,
        (held) => {
          const visit: ReturnType<typeof begin> = begin(held);
          const objects: JsonObject[] = [];
          seen.set(buildResourcePath(resource), objects);
          return (object) => {
            if (textAt(object, "metadata", "name") !== undefined && isNamed(formatRef(refOf(object)), name))
              objects.push(object);
            visit(object);
          };
        },
        ...more,
      ),
    forCycle: () => watch(reader.forCycle?.() ?? reader, name, seen),
  };
}
