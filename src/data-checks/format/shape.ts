import type { Ajv, ErrorObject, SchemaObject } from "ajv";
import schema from "../../../schemas/preflight-check-v1alpha1.schema.json" with { type: "json" };
import { type Json, isList, isObject } from "../../model/json.ts";
import { capitalize, findNearestName } from "../../model/text.ts";
import { findMinorPlatform, parseMinor } from "../../model/version.ts";
import type { CheckDefinition } from "./definition.ts";
import type { DocumentPlace, PlacedFault } from "./fault.ts";

const ID_FORM = "it must have small letters and digits, in words joined by dashes";
const VALUE_NAME_FORM = "names begin with a small letter and have letters and digits, at most 40";

/** What has a name: a risk, an object, a check, or a value of a check. */
const NAME_FORMS = {
  risk: { description: "it must be in PascalCase, with 3 to 60 letters and digits", capitals: "all" },
  object: { description: "it must be NAME or NAMESPACE/NAME", capitals: "none" },
  argument: { description: "it must be the name of an object, or a <placeholder>", capitals: "none" },
  check: { description: ID_FORM, capitals: "none" },
  value: { description: VALUE_NAME_FORM, capitals: "inner" },
} as const;

function findNameForm(pattern: string): keyof typeof NAME_FORMS {
  if (pattern.startsWith("^[A-Z]")) return "risk";
  if (pattern.includes("<")) return "argument";
  if (pattern.includes("/")) return "object";
  return pattern.includes("(?:-") ? "check" : "value";
}

/** What a name with this pattern has to be. */
function describeName(pattern: string): string {
  return NAME_FORMS[findNameForm(pattern)].description;
}

/** The nearest text of the right form, for a field with this pattern; it need not match. */
function correctText(field: string | undefined, text: string, pattern: string): string | undefined {
  if (field === "url") return text.replace(/^(?:http:\/\/)?/, "https://");
  if (field === "resource") return correctKind(text);
  return field === "name" ? correctName(text, NAME_FORMS[findNameForm(pattern)].capitals) : undefined;
}

/** The same words in another form: with capitals at all of them, at all but the first, or with dashes between them. */
function correctName(text: string, capitals: "all" | "inner" | "none"): string {
  const words = text.replaceAll(/(?<=[a-z])(?=[A-Z])/g, "-").split(/[-_ ]+/);
  if (capitals === "none") return words.join("-").toLowerCase();
  const [first = "", ...others] = words.map(capitalize);
  return [capitals === "all" ? first : first.slice(0, 1).toLowerCase() + first.slice(1), ...others].join("");
}

/** "deployments.apps", as in rights, and "apps/v1/Deployment", as in manifests. */
function correctKind(text: string): string | undefined {
  const [, version, kind] = /^(.*\/)?([A-Z][A-Za-z]*)$/.exec(text) ?? [];
  if (kind !== undefined) return `${version ?? "v1/"}${formatPlural(kind.toLowerCase())}`;
  const [, resource, group] = /^([a-z]+)\.([a-z0-9.-]+)$/.exec(text) ?? [];
  if (resource !== undefined) return `${group}/v1/${resource}`;
  return /^[a-z]+$/.test(text) ? `v1/${text}` : undefined;
}

function formatPlural(kind: string): string {
  if (/(?:ss|us|dns|x|ch|sh)$/.test(kind)) return `${kind}es`;
  if (kind.endsWith("s")) return kind;
  return /[^aeiou]y$/.test(kind) ? `${kind.slice(0, -1)}ies` : `${kind}s`;
}

/** What a value is by its schema. */
type JudgedShape<T> =
  | { readonly kind: "sound"; readonly definition: T }
  | { readonly kind: "faulty"; readonly faults: readonly PlacedFault[] };

let ajv: Promise<Ajv> | undefined;

async function loadAjv(): Promise<Ajv> {
  const { Ajv } = await import("ajv");
  // That the schemas are valid, a test shows: to validate them takes a third of the time.
  return new Ajv({ strict: true, verbose: true, allErrors: true, strictRequired: false, validateSchema: false });
}

/** Judges values by a schema that refers to its own definitions only. Ajv is loaded only if there is something to judge. */
export function createShapeJudge<T>(
  own: SchemaObject & { readonly definitions: Readonly<Record<string, unknown>> },
): (value: Json) => Promise<JudgedShape<T>> {
  const load = async () => (await (ajv ??= loadAjv())).compile<T>(own);
  let loaded: ReturnType<typeof load> | undefined;
  return async (value) => {
    const validate = await (loaded ??= load());
    if (validate(value)) return { kind: "sound", definition: value };
    return judgeErrors(validate.errors ?? [], value, own.definitions);
  };
}

export const judgeShape = createShapeJudge<CheckDefinition>(schema);

type Definitions = Readonly<Record<string, unknown>>;

/** A field that is missing because its name is misspelt is reported once, where the name is. */
function judgeErrors<T>(errors: readonly ErrorObject[], value: Json, definitions: Definitions): JudgedShape<T> {
  const meant = new Set(errors.flatMap((error) => findMeantField(error, definitions) ?? []));
  const faults = errors
    .filter(({ params }) => !meant.has(params["missingProperty"]))
    .flatMap((error) => buildFault(error, value, definitions));
  const foreign = faults.filter(
    ({ place }) => place.length === 1 && (place[0] === "apiVersion" || place[0] === "kind"),
  );
  // What is something else has no fields that could be right.
  return { kind: "faulty", faults: foreign.length > 0 ? foreign : faults };
}

function formatMissing(field: unknown): string {
  return `the field ${String(field)} is missing`;
}

function buildFault(error: ErrorObject, document: unknown, definitions: Definitions): readonly PlacedFault[] {
  const place = parsePointer(error.instancePath, document);
  const fault = (message: string, hint?: string, key?: string): readonly PlacedFault[] => [
    {
      severity: "error",
      ...(key === undefined ? { place } : { place: [...place, key], isKey: true }),
      message,
      hint,
    },
  ];
  const params: Readonly<Record<string, unknown>> = error.params;
  switch (error.keyword) {
    case "additionalProperties": {
      const key = String(params["additionalProperty"]);
      return fault(`${key} is not a field here`, suggestField(error, key, definitions), key);
    }
    case "propertyNames":
      return fault(describeKey(error.parentSchema), undefined, String(params["propertyName"]));
    case "required":
      return fault(formatMissing(params["missingProperty"]));
    case "dependencies":
      return fault(...describeDependency(params, error.parentSchema));
    case "const":
      return fault(`it must be ${JSON.stringify(params["allowedValue"])}`);
    case "enum":
      return fault(...describeChoice(params["allowedValues"], error.data));
    case "type":
      return fault(`it must be ${TYPES[String(params["type"])] ?? String(params["type"])}`, suggestValue(error));
    case "pattern":
      // Of a name, its own keyword reports.
      return error.schemaPath.includes("propertyNames") ? [] : fault(describePattern(error), suggestText(error));
    case "minItems":
    case "minProperties":
    case "minLength":
      return fault("it must not be empty");
    case "maxItems":
    case "maxProperties":
    case "maxLength":
      return fault(describeLimit(error.keyword, String(params["limit"])));
    // What the branch demands is reported by itself.
    case "if":
      return [];
    default:
      return fault(error.message ?? error.keyword);
  }
}

/** Labels and annotations have other keys than the values of a check. */
function describeKey(parent: unknown): string {
  const names = isObject(parent) ? parent["propertyNames"] : undefined;
  return getPattern(names).includes("/")
    ? "this is not the key of a label or an annotation, such as example.com/rack"
    : `this is not a name here: ${VALUE_NAME_FORM}`;
}

const TYPES: Readonly<Record<string, string>> = {
  string: "a text",
  object: "a map",
  array: "a list",
  boolean: "true or false",
  integer: "a whole number",
};

function suggestField(error: ErrorObject, key: string, definitions: Definitions): string | undefined {
  const known = listFields(error.parentSchema);
  const owners = listOwners(key, definitions);
  if (owners.length > 0)
    return `it is a field of ${/^[aeiou]/.test(owners.join()) ? "an" : "a"} ${owners.join(" or ")}`;
  const meant = findMeantField(error, definitions);
  if (meant !== undefined) return `did you mean ${meant}?`;
  return known.length === 0 ? undefined : `the fields are ${known.join(", ")}`;
}

/** The field that one which does not exist may be meant to be, unless it is one elsewhere. */
function findMeantField({ params, parentSchema }: ErrorObject, definitions: Definitions): string | undefined {
  const key: unknown = params["additionalProperty"];
  if (typeof key !== "string" || listOwners(key, definitions).length > 0) return undefined;
  return findNearestName(key, listFields(parentSchema));
}

function listOwners(key: string, definitions: Definitions): readonly string[] {
  return Object.keys(definitions).filter((name) => listFields(definitions[name]).includes(key));
}

function listFields(definition: unknown): readonly string[] {
  const properties = isObject(definition) ? definition["properties"] : undefined;
  return isObject(properties) ? Object.keys(properties) : [];
}

function describeLimit(keyword: string, limit: string): string {
  return `it has more than ${limit} ${keyword === "maxLength" ? "characters" : "entries"}`;
}

/** A field that another one needs; it is reported there. */
function describeDependency(
  params: Readonly<Record<string, unknown>>,
  parent: unknown,
): [message: string, hint: string | undefined, key: string] {
  const field = String(params["missingProperty"]);
  return [formatMissing(field), listChoices(field, parent), String(params["property"])];
}

/** The values of a field that has only a few. */
function listChoices(field: string, parent: unknown): string | undefined {
  const properties = isObject(parent) ? parent["properties"] : undefined;
  const own = isObject(properties) ? properties[field] : undefined;
  const values = isObject(own) ? own["enum"] : undefined;
  return isList(values) ? `it is one of ${values.map(String).join(", ")}` : undefined;
}

function describeChoice(allowed: unknown, data: unknown): [message: string, hint?: string] {
  const names = isList(allowed) ? allowed.map(String) : [];
  const nearest = typeof data === "string" ? findNearestName(data, names) : undefined;
  const message = names.length === 1 ? `it must be ${names.join("")}` : `it must be one of ${names.join(", ")}`;
  return nearest === undefined ? [message] : [message, `did you mean ${nearest}?`];
}

/** YAML reads 4.20 as the number 4.2, and yes as a text. */
function suggestValue({ params, data }: ErrorObject): string | undefined {
  if (data === null) return "give it a value, or leave it out";
  const isText = params["type"] === "string" && (typeof data === "number" || typeof data === "boolean");
  return isText ? "put it in quotes" : undefined;
}

/** The nearest text of the right form. */
function suggestText({ schemaPath, instancePath, data, parentSchema }: ErrorObject): string | undefined {
  if (typeof data !== "string") return undefined;
  if (schemaPath.endsWith("Minor/pattern")) return suggestMinor(data, instancePath);
  const pattern = getPattern(parentSchema);
  const corrected = correctText(/([^/]+)\/pattern$/.exec(schemaPath)?.[1], data, pattern);
  return corrected === undefined || !new RegExp(pattern).test(corrected) ? undefined : `did you mean ${corrected}?`;
}

/** A minor of the other platform stands in the other one's field. */
function suggestMinor(text: string, pointer: string): string | undefined {
  const found = /\d{1,4}\.\d{1,4}/.exec(text)?.[0] ?? "";
  const minor = parseMinor(found);
  const platform = minor && findMinorPlatform(minor);
  const field = pointer.split("/").at(-2);
  if (platform === undefined) return undefined;
  if (platform === (field === "kubernetes" ? field : "openshift")) return `did you mean "${found}"?`;
  return `write ${platform}: {crosses: "${found}"}`;
}

function getPattern(parent: unknown): string {
  const pattern = isObject(parent) ? parent["pattern"] : undefined;
  return typeof pattern === "string" ? pattern : "";
}

/** What texts with a pattern are, by the last part of their path in the schema. */
const PATTERNS: Readonly<Record<string, string>> = {
  resource: "it must be a kind such as apps/v1/deployments or v1/nodes",
  name: "it is not a name of the right form",
  url: "it must be an address that begins with https://",
  openshiftMinor: 'it must be a minor of OpenShift, such as "4.21"',
  kubernetesMinor: 'it must be a minor of Kubernetes, such as "1.35"',
  knownUpTo: 'it must be a minor such as "5.2"',
  id: ID_FORM,
  published: "it is not a name under which the update service publishes risks",
  date: 'it must be a day such as "2026-08-21"',
  source: "it must have no spaces",
  kinds: "it must be a kind such as MachineSet",
  command: "it must be the words of one command of oc",
  apiVersion: "it must be a group and a version such as apps/v1, or v1",
  kind: "it must be a kind such as Deployment",
  namespace: "it must be the name of a namespace, or a <placeholder>",
};
const FULL_VERSION = "it must be a full version such as 4.21.3";

function describePattern({ schemaPath, parentSchema }: ErrorObject): string {
  const [, field = ""] = /([^/]+)(?:\/items)?\/pattern$/.exec(schemaPath) ?? [];
  if (field === "name") return describeName(getPattern(parentSchema));
  return PATTERNS[field] ?? FULL_VERSION;
}

function parsePointer(pointer: string, document: unknown): DocumentPlace {
  const steps = pointer.split("/").slice(1);
  let here: unknown = document;
  return steps.map((step) => {
    const key = step.replaceAll("~1", "/").replaceAll("~0", "~");
    const isItem = isList(here);
    if (isList(here)) here = here[Number(key)];
    else here = isObject(here) ? here[key] : undefined;
    return isItem ? Number(key) : key;
  });
}
