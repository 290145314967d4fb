import { type JsonObject, at, textAt } from "../../../src/model/json.ts";
import { type Mutable, mutable, schemasIn, set } from "../definition/schemas.ts";
import { generateVersion, getVersions, isAcceptable } from "./crd-generator.ts";
import type { Random } from "./random.ts";
import { addRule } from "./rule-places.ts";
import { editSchema } from "./schema-edits.ts";

/** The CRD that replaces one: changed in some places, mostly so that an API server accepts it. */
export function changeCrd(crd: JsonObject, random: Random, storedVersions: readonly string[] = []): Mutable {
  const installed = asInstalled(crd, storedVersions);
  let current = mutable(structuredClone(crd));
  for (let left = random.pick([0, 1, 2, 2, 3, 4, 6, 8, 10]); left > 0; left--) {
    const next = structuredClone(current);
    changeOnce(next, random);
    if (random.chance(0.002) || (isAcceptable(next) && isAcceptable(next, installed))) current = next;
  }
  return current;
}

/** As a cluster has it that served it from the start, or that stored objects in other versions before. */
export function asInstalled(crd: JsonObject, storedVersions: readonly string[]): JsonObject {
  const stored = getVersions({ ...crd }).find((version) => version["storage"] === true);
  const conditions = ["NamesAccepted", "Established"].map((type) => ({ type, status: "True" }));
  const names = at(crd, "spec", "names") ?? {};
  const all = [...new Set([...storedVersions, textAt(stored, "name") ?? ""])];
  return { ...crd, status: { acceptedNames: names, conditions, storedVersions: all } };
}

function changeOnce(definition: Mutable, random: Random): void {
  if (random.chance(0.1)) return changeVersions(definition, random);
  if (random.chance(0.15)) return addRule(definition, random);
  const roots = getVersions(definition).map((version) => at(version, "schema", "openAPIV3Schema"));
  const stored = getVersions(definition).filter((version) => version["storage"] === true);
  const isStoredOnly = random.chance(0.5);
  const edited = isStoredOnly ? { ...definition, spec: { versions: stored } } : definition;
  // A root has to stay an object.
  const places = schemasIn(edited).filter(({ schema }) => !roots.includes(schema) || random.chance(0.1));
  // Of two places, the one that more objects have.
  const place = places[Math.min(random.below(places.length), random.below(places.length))];
  if (place) editSchema(place.schema, random);
}

/** Adds, removes or stops serving a version, or stores another one. */
function changeVersions(definition: Mutable, random: Random): void {
  const versions = getVersions(definition);
  const spec = mutable(at(definition, "spec") ?? {});
  const other = random.oneOf(versions.filter((version) => version["storage"] !== true));
  const kind = random.below(4);
  if (kind === 0 || other === undefined) {
    const own = random.chance(0.6) ? { ...structuredClone(versions[0]) } : generateVersion(random);
    return set(spec, "versions", [...versions, { ...own, name: "v2", served: true, storage: false }]);
  }
  if (kind === 1)
    return set(
      spec,
      "versions",
      versions.filter((version) => version !== other),
    );
  if (kind === 2) return set(other, "served", other["served"] !== true);
  for (const version of versions) set(version, "storage", version === other);
}
