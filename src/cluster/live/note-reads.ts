import { textAt } from "../../model/json.ts";
import type { Reader } from "../../model/reader.ts";
import { buildResourcePath, type Resource } from "../../model/resource.ts";

/** What was read: the path of a collection, the name of the object if it is one alone, and the resourceVersion that it had. */
export type ReadPlace = {
  readonly collection: string;
  readonly name?: string | undefined;
  readonly version: string;
  /** Of a hosted cluster that is read with both of its halves, where it is not the guest. */
  readonly half?: "management";
};

/** A reader that tells what it has read, as far as that can be watched. Changes of Secrets are nobody's business here. */
export function noteReads(reader: Reader, note: (place: ReadPlace) => void): Reader {
  const { management } = reader;
  return {
    ...reader,
    ...(management && { management: noteReads(management, (place) => note({ ...place, half: "management" })) }),
    async get(location, ...more) {
      const result = await reader.get(location, ...more);
      const { resource, namespace, name } = location;
      // What is made of another object changes with that one.
      const found = result.kind === "found" && result.isDerived !== true ? result.object : undefined;
      const version = textAt(found, "metadata", "resourceVersion");
      if (version !== undefined && !isSecret(resource))
        note({ collection: buildResourcePath(resource, namespace), name, version });
      return result;
    },
    async list(resource, ...more) {
      const result = await reader.list(resource, ...more);
      if (result.kind === "listed" && result.version !== undefined && !isSecret(resource))
        note({ collection: buildResourcePath(resource), version: result.version });
      return result;
    },
    forCycle: () => noteReads(reader.forCycle?.() ?? reader, note),
  };
}

function isSecret({ group, resource }: Resource): boolean {
  return group === "" && resource === "secrets";
}
