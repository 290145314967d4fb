import type { JsonObject } from "../../../model/json.ts";
import {
  isBase64OrEmpty,
  coerceObjectMeta,
  FLAG,
  TEXT,
  buildIntegerShape,
  buildListShape,
  buildObjectShape,
  buildPlainShape,
  fieldsOf,
  requireShape,
  type Place,
  enter,
  refuse,
} from "../../openapi/index.ts";

/** Refuses what the API server can't decode, apart from schemas. Unknown fields are ignored. */
export function requireDecodable(definition: JsonObject, root: Place): void {
  const metadata = definition["metadata"] ?? {};
  const normal = coerceObjectMeta(metadata);
  if (normal.kind === "wrong") refuse(root, "metadata", normal.message.replace(/^.*can't be read: /, ""));
  const { spec } = definition;
  if (spec !== undefined) requireShape(spec, SPEC, enter(root, "spec"));
}

const SMALL = buildIntegerShape(32);
const BYTES = buildPlainShape(
  "a text in base64",
  (value) => typeof value === "string" && isBase64OrEmpty(value.replaceAll(/[\r\n]/g, "")),
);
const SCALE = buildObjectShape(fieldsOf(TEXT, "specReplicasPath", "statusReplicasPath", "labelSelectorPath"));
const COLUMN = buildObjectShape({
  ...fieldsOf(TEXT, "name", "type", "format", "description", "jsonPath"),
  priority: SMALL,
});
const VERSION = buildObjectShape({
  ...fieldsOf(TEXT, "name", "deprecationWarning"),
  ...fieldsOf(FLAG, "served", "storage", "deprecated"),
  schema: buildObjectShape({ openAPIV3Schema: buildObjectShape({}) }),
  subresources: buildObjectShape({ status: buildObjectShape({}), scale: SCALE }),
  additionalPrinterColumns: buildListShape(COLUMN),
  selectableFields: buildListShape(buildObjectShape({ jsonPath: TEXT })),
});
const NAMES = buildObjectShape({
  ...fieldsOf(TEXT, "plural", "singular", "kind", "listKind"),
  ...fieldsOf(buildListShape(TEXT), "shortNames", "categories"),
});
const SERVICE = buildObjectShape({ namespace: TEXT, name: TEXT, path: TEXT, port: SMALL });
const CLIENT = buildObjectShape({ url: TEXT, service: SERVICE, caBundle: BYTES });
const WEBHOOK = buildObjectShape({ clientConfig: CLIENT, conversionReviewVersions: buildListShape(TEXT) });
const SPEC = buildObjectShape({
  group: TEXT,
  names: NAMES,
  scope: TEXT,
  versions: buildListShape(VERSION),
  conversion: buildObjectShape({ strategy: TEXT, webhook: WEBHOOK }),
  preserveUnknownFields: FLAG,
});
