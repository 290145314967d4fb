import { join } from "node:path";
import { type Json, formatCanonicalJson, isList, isObject, listAt } from "../../../../src/model/json.ts";
import { wrapSpec } from "../../../../verify/schema/cel/cases.ts";
import { type SchemaKind, parseSchema, writeKinds } from "../differential/schema-kinds.ts";

/** A kind for each distinct schema with its own rules, used as the spec, so that nested rules are tested as often as any. */
export function buildRuledKinds(kinds: readonly SchemaKind[], folder: string): readonly SchemaKind[] {
  const schemas = new Map<string, readonly [Json, string]>();
  for (const kind of kinds) {
    for (const schema of Object.values(parseSchema(kind)).flatMap((part) => [...findRuledSchemas(part)])) {
      const text = formatCanonicalJson(schema);
      if (!schemas.has(text)) schemas.set(text, [schema, kind.name]);
    }
  }
  return [...schemas.values()].flatMap(([schema, name], i) =>
    writeKinds(wrapSpec(schema), name, join(folder, `ruled-${i}.json`)),
  );
}

function* findRuledSchemas(value: Json): Generator<Json> {
  if (isList(value)) for (const item of value) yield* findRuledSchemas(item);
  else if (isObject(value)) {
    if (listAt(value, "x-kubernetes-validations").length > 0) yield value;
    for (const item of Object.values(value)) yield* findRuledSchemas(item);
  }
}
