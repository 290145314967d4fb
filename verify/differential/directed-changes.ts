import { type JsonObject, at, isObject, listAt, objectAt, textAt } from "../../src/model/json.ts";
import { type Mutable, mutable, schemasIn, set } from "../schema/definition/schemas.ts";
import { getVersions } from "../schema/random/crd-generator.ts";
import { generateDefault } from "../schema/random/schema-generator.ts";
import type { Random } from "../schema/random/random.ts";

/** The CRDs of a round, each of which replaces the one before. */
export type Chain = { readonly older: JsonObject; readonly before: JsonObject; readonly after: JsonObject };

type Step = (chain: Chain, random: Random) => Chain;

/** What chance would hardly put together over three CRDs. The caller drops what an API server would refuse. */
export const STEPS: readonly Step[] = [moveStorage, addTwoRules, removeDefault, changeDefault, addScale];

/** Objects are stored in one version, and others in another one: `storedVersions` has both. */
function moveStorage(chain: Chain, random: Random): Chain {
  const names = getVersions({ ...chain.before }).map((version) => textAt(version, "name"));
  const storage = random.oneOf(names);
  const edit = (crd: Mutable): void => {
    for (const version of getVersions(crd)) set(version, "storage", textAt(version, "name") === storage);
  };
  return {
    ...chain,
    before: editCopy(chain.before, edit),
    after: random.chance(0.7) ? editCopy(chain.after, edit) : chain.after,
  };
}

/** False for most values, and rules that can't be evaluated for many: by type. */
const BROKEN: Readonly<Record<string, readonly [string, ...string[]]>> = {
  string: ["size(self) < 2", "self.substring(2) != ''", "int(self) < 10", "self.charAt(size(self) + 1) == ''"],
  array: ["size(self) < 2", "self.slice(0, 2).size() == 2", "dyn(self)[1] == dyn(self)[0]"],
  object: ["size(self) < 2", "dyn(self)['a'] == dyn(self)['a']"],
};

/** A rule that stored objects break, and later one at the same place that no unchanged object passes. */
function addTwoRules(chain: Chain, random: Random): Chain {
  const place = findPlace(chain, random, ({ type }) => type === "string" || type === "array" || type === "object");
  const type = textAt(place && findSchema(chain.before, place), "type") ?? "";
  const broken = { rule: random.oneOf(BROKEN[type] ?? []) ?? "size(self) < 2", message: "must be short" };
  const transition = { rule: random.pick(["self != oldSelf", "size(self) != size(oldSelf)"]), message: "must change" };
  const add = (crd: JsonObject, ...rules: readonly JsonObject[]): JsonObject =>
    editPlace(crd, place, (schema) =>
      set(schema, "x-kubernetes-validations", [...listAt(schema, "x-kubernetes-validations"), ...rules]),
    );
  return { ...chain, before: add(chain.before, broken), after: add(chain.after, broken, transition) };
}

const SCALE = { specReplicasPath: ".spec.replicas", statusReplicasPath: ".status.replicas" };

/** A number of replicas that can be scaled beside other fields, which may get broken. */
function addScale({ older, before, after }: Chain, random: Random): Chain {
  const limits = random.pick<JsonObject>([{}, { minimum: 0 }, { maximum: 1 }]);
  const add = (crd: JsonObject): JsonObject =>
    editCopy(crd, (copy) => {
      for (const version of getVersions(copy)) {
        const spec = at(version, "schema", "openAPIV3Schema", "properties", "spec");
        if (textAt(spec, "type") !== "object" || !isObject(at(spec, "properties"))) continue;
        set(mutable(objectAt(spec, "properties")), "replicas", { type: "integer", format: "int32", ...limits });
        set(version, "subresources", { ...objectAt(version, "subresources"), scale: SCALE });
      }
    });
  return { older: add(older), before: add(before), after: add(after) };
}

/** A default that only the CRD of before has, so that some objects show what etcd doesn't have. */
function removeDefault(chain: Chain, random: Random): Chain {
  const place = findPlace(chain, random, ({ type }) => type !== undefined);
  return { ...addDefault(chain, place, random), after: dropDefault(chain.after, place) };
}

function changeDefault(chain: Chain, random: Random): Chain {
  const place = findPlace(chain, random, ({ type }) => type !== undefined);
  const { before } = addDefault(chain, place, random);
  return {
    ...addDefault(chain, place, random),
    before,
    after: addDefault({ ...chain, before: chain.after }, place, random).before,
  };
}

function addDefault(chain: Chain, place: Place | undefined, random: Random): Chain {
  const before = editPlace(chain.before, place, (schema) => {
    const { default: value } = generateDefault(schema, random);
    if (value !== undefined) set(schema, "default", value);
  });
  return { ...chain, older: dropDefault(chain.older, place), before };
}

function dropDefault(crd: JsonObject, place: Place | undefined): JsonObject {
  return editPlace(crd, place, (schema) => {
    delete schema["default"];
  });
}

/** A version, and a schema in it by its path. */
type Place = { readonly version: string; readonly path: readonly string[] };

function findPlace({ before }: Chain, random: Random, fits: (schema: JsonObject) => boolean): Place | undefined {
  const places = getVersions({ ...before }).flatMap((version) =>
    listProperties(at(version, "schema", "openAPIV3Schema"), []).map((path) => ({
      version: textAt(version, "name") ?? "",
      path,
    })),
  );
  return random.oneOf(places.filter((place) => fits(findSchema(before, place) ?? {})));
}

/** Paths of properties below the root. */
function listProperties(schema: unknown, path: readonly string[]): readonly (readonly string[])[] {
  if (!isObject(schema)) return [];
  return Object.entries(objectAt(schema, "properties")).flatMap(([name, child]) =>
    path.length === 0 && ["apiVersion", "kind", "metadata"].includes(name)
      ? []
      : [[...path, name], ...listProperties(child, [...path, name])],
  );
}

function findSchema(crd: JsonObject, { version, path }: Place): JsonObject | undefined {
  const found = getVersions({ ...crd }).find((one) => textAt(one, "name") === version);
  const keys = path.flatMap((name) => ["properties", name]);
  const schema = at(found, "schema", "openAPIV3Schema", ...keys);
  return isObject(schema) ? schema : undefined;
}

function editPlace(crd: JsonObject, place: Place | undefined, edit: (schema: Mutable) => void): JsonObject {
  return editCopy(crd, (copy) => {
    const wanted = place && findSchema(copy, place);
    const schema = schemasIn(copy).find((one) => one.schema === wanted)?.schema;
    if (schema) edit(mutable(schema));
  });
}

function editCopy(crd: JsonObject, edit: (crd: Mutable) => void): JsonObject {
  const copy = mutable(structuredClone(crd));
  edit(copy);
  return copy;
}
