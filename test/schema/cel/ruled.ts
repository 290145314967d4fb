import { join } from "node:path";
import { type Json, canonical, isList, isObject, listAt } from "../../../src/model/json.ts";
import { type Kind, schemaOf, writtenKinds } from "../differential/kinds.ts";

/** For each schema within the kinds that has rules of its own, once, a kind whose spec is that schema: rules deep down are met as often as any. */
export function ruledKinds(kinds: readonly Kind[], folder: string): readonly Kind[] {
  const found = new Map<string, readonly [Json, string]>();
  for (const kind of kinds) {
    for (const schema of Object.values(schemaOf(kind)).flatMap((part) => [...ruled(part)])) {
      const text = canonical(schema);
      if (!found.has(text)) found.set(text, [schema, kind.name]);
    }
  }
  return [...found.values()].flatMap(([schema, name], i) =>
    writtenKinds(around(schema), name, join(folder, `ruled-${i}.json`)),
  );
}

function* ruled(value: Json): Generator<Json> {
  if (isList(value)) for (const item of value) yield* ruled(item);
  else if (isObject(value)) {
    if (listAt(value, "x-kubernetes-validations").length > 0) yield value;
    for (const item of Object.values(value)) yield* ruled(item);
  }
}

/** A CRD with a schema for spec. */
export function around(spec: Json): Json {
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: "things.example.com" },
    spec: {
      group: "example.com",
      names: { kind: "Thing", plural: "things", singular: "thing", listKind: "ThingList" },
      scope: "Cluster",
      versions: [
        {
          name: "v1",
          served: true,
          storage: true,
          schema: { openAPIV3Schema: { type: "object", properties: { spec } } },
        },
      ],
    },
  };
}
