import { type Json, type JsonObject, at, listAt, objectAt, textAt } from "../../../model/json.ts";
import type { Place } from "../../openapi/index.ts";
import {
  FLAG,
  TEXT,
  buildIntegerShape,
  buildListShape,
  buildObjectShape,
  buildPlainShape,
  coerceObjectMeta,
  enter,
  fieldsOf,
  isBase64OrEmpty,
  isDns1035Label,
  isDns1123Subdomain,
  refuse,
  requireShape,
} from "../../openapi/index.ts";
import { holdsCertificate } from "./certificates.ts";

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

type Names = { readonly [Name in "plural" | "singular" | "kind" | "listKind"]: string };

/** With the API server's defaults for missing names. */
function parseNames(definition: JsonObject): Names {
  const names = objectAt(definition, "spec", "names");
  const kind = textAt(names, "kind") ?? "";
  const singular = textAt(names, "singular") ?? "";
  const listKind = textAt(names, "listKind") ?? "";
  return {
    plural: textAt(names, "plural") ?? "",
    singular: singular === "" ? kind.toLowerCase() : singular,
    kind,
    listKind: listKind === "" && kind !== "" ? `${kind}List` : listKind,
  };
}

const LABEL = "must be a DNS label that begins with a letter";

export function requireNames(definition: JsonObject, root: Place): void {
  const place = enter(root, "spec.names");
  const names = parseNames(definition);
  for (const field of ["plural", "singular", "kind", "listKind"] as const) {
    const isKind = field === "kind" || field === "listKind";
    const name = isKind ? names[field].toLowerCase() : names[field];
    if (name === "") refuse(place, `.${field}`, "is required");
    else if (!isDns1035Label(name)) refuse(place, `.${field}`, isKind ? `${LABEL}, in any case` : LABEL);
  }
  if (names.kind !== "" && names.kind === names.listKind) refuse(place, ".listKind", "can't be the same as the kind");
  for (const field of ["shortNames", "categories"]) {
    for (const [i, name] of listAt(definition, "spec", "names", field).entries()) {
      if (!isDns1035Label(typeof name === "string" ? name : "")) refuse(place, `.${field}[${i}]`, LABEL);
    }
  }
}

export function requireGroupAndScope(definition: JsonObject, root: Place): void {
  const group = textAt(definition, "spec", "group") ?? "";
  if (group === "") refuse(root, "spec.group", "is required");
  else if (!isDns1123Subdomain(group)) refuse(root, "spec.group", "must be a DNS subdomain in lower case");
  else if (!group.includes(".")) refuse(root, "spec.group", "must have a dot in it");
  const scope = textAt(definition, "spec", "scope") ?? "";
  if (scope !== "Cluster" && scope !== "Namespaced") refuse(root, "spec.scope", "must be Cluster or Namespaced");
}

/** Validated on create only, because the name and its parts can't change later. */
export function requireOwnName(definition: JsonObject, root: Place): void {
  const name = textAt(definition, "metadata", "name") ?? "";
  const expected = `${parseNames(definition).plural}.${textAt(definition, "spec", "group") ?? ""}`;
  if (!isDns1123Subdomain(name)) refuse(root, "metadata.name", "must be a DNS subdomain in lower case");
  if (name !== expected) refuse(root, "metadata.name", `must be spec.names.plural, a dot and spec.group: ${expected}`);
}

const APPROVAL = "api-approved.kubernetes.io";

/** A CRD in one of Kubernetes' own groups must state whether its API was approved. */
export function requireApproval(definition: JsonObject, installed: JsonObject | undefined, root: Place): void {
  const group = textAt(definition, "spec", "group") ?? "";
  if (!/(?:^|\.)(?:k8s|kubernetes)\.io$/.test(group)) return;
  const state = parseApproval(definition);
  if (state === "approved" || state === "bypassed" || (installed && parseApproval(installed) === state)) return;
  const reason = 'must be an address, or begin with "unapproved", in a group of Kubernetes';
  refuse(root, `metadata.annotations[${APPROVAL}]`, reason);
}

function parseApproval(definition: JsonObject): "missing" | "bypassed" | "approved" | "invalid" {
  const text = textAt(definition, "metadata", "annotations", APPROVAL) ?? "";
  if (text === "") return "missing";
  if (text.startsWith("unapproved")) return "bypassed";
  return /^[A-Za-z][A-Za-z0-9+.-]*:\/\/[^/?#\s]+/.test(text) ? "approved" : "invalid";
}

const REVIEW_VERSIONS = ["v1", "v1beta1"];
const WEBHOOK_ONLY = "is only allowed if the strategy is Webhook";

export function hasKnownReviewVersion(definition: JsonObject): boolean {
  const versions = listAt(definition, "spec", "conversion", "webhook", "conversionReviewVersions");
  return versions.length === 0 || versions.some(isReviewVersion);
}

function isReviewVersion(version: Json): boolean {
  return typeof version === "string" && REVIEW_VERSIONS.includes(version);
}

/** How objects are converted between versions. */
export function requireConversion(definition: JsonObject, tolerates: Options["tolerates"], root: Place): void {
  const conversion = at(definition, "spec", "conversion") ?? undefined;
  if (conversion === undefined) return;
  const place = enter(root, "spec.conversion");
  const strategy = textAt(conversion, "strategy") ?? "";
  if (strategy !== "None" && strategy !== "Webhook") refuse(place, ".strategy", "must be None or Webhook");
  if (strategy !== "None" && at(definition, "spec", "preserveUnknownFields") === true) {
    refuse(place, ".strategy", "must be None if unknown fields are preserved");
  }
  const webhook = objectAt(conversion, "webhook");
  if (strategy === "Webhook") return requireWebhook(webhook, tolerates, enter(place, ".webhook"));
  if ((at(webhook, "clientConfig") ?? undefined) !== undefined) refuse(place, ".webhook.clientConfig", WEBHOOK_ONLY);
  if (listAt(webhook, "conversionReviewVersions").length === 0) return;
  refuse(place, ".webhook.conversionReviewVersions", WEBHOOK_ONLY);
}

function requireWebhook(webhook: JsonObject, tolerates: Options["tolerates"], place: Place): void {
  requireClient(at(webhook, "clientConfig") ?? undefined, tolerates.caBundle, enter(place, ".clientConfig"));
  const versionsPlace = enter(place, ".conversionReviewVersions");
  const versions = listAt(webhook, "conversionReviewVersions");
  if (versions.length === 0) return refuse(versionsPlace, "", "is required");
  for (const [i, version] of versions.entries()) {
    if (versions.indexOf(version) < i) refuse(versionsPlace, `[${i}]`, "is given twice");
    else if (!isDns1035Label(typeof version === "string" ? version : ""))
      refuse(versionsPlace, `[${i}]`, "must be a DNS label that begins with a letter");
  }
  if (!tolerates.reviewVersions && !versions.some(isReviewVersion)) {
    refuse(versionsPlace, "", `must have one of ${REVIEW_VERSIONS.join(", ")}`);
  }
}

function requireClient(client: Json | undefined, toleratesBundle: boolean, place: Place): void {
  if (client === undefined) return refuse(place, "", "is required if the strategy is Webhook");
  const url = textAt(client, "url");
  const service = at(client, "service") ?? undefined;
  if ((url === undefined) === (service === undefined)) refuse(place, "", "must have either url or service");
  else if (service !== undefined) requireService(objectAt(service), enter(place, ".service"));
  else if (!/^https:\/\/[^/?#@\s]+(?:\/[^?#\s]*)?$/i.test(url ?? ""))
    refuse(place, ".url", "must be https:// and a host, with a path at most");
  const bundle = textAt(client, "caBundle") ?? "";
  if (!toleratesBundle && bundle !== "" && !holdsCertificate(bundle)) {
    refuse(place, ".caBundle", "must hold a certificate in PEM form");
  }
}

function requireService(service: JsonObject, place: Place): void {
  for (const field of ["name", "namespace"]) {
    if ((textAt(service, field) ?? "") === "") refuse(place, `.${field}`, "is required");
  }
  const port = at(service, "port") ?? 443;
  if (typeof port === "number" && (port < 1 || port > 65_535)) refuse(place, ".port", "must be between 1 and 65535");
  const path = textAt(service, "path") ?? "";
  if (path === "" || path === "/") return;
  const steps = path.replace(/^\//, "").replace(/\/$/, "").split("/");
  if (!path.startsWith("/") || !steps.every(isDns1123Subdomain)) {
    refuse(place, ".path", "must be DNS subdomains with a slash before each");
  }
}

const NOTHING = {
  noSchema: false,
  unknownTypes: false,
  unstructured: false,
  unprunedDefaults: false,
  sets: false,
  mapKeys: false,
  reviewVersions: false,
  caBundle: false,
};

/**
 * In an update, an API server tolerates some faults that the installed CRD already has. All of `tolerates` except `caBundle` is false for a
 * new CRD.
 */
export type Options = {
  readonly tolerates: Readonly<typeof NOTHING>;
  /** Versions with an unchanged schema: the cost of a single rule is not limited. */
  readonly unchanged: ReadonlySet<string>;
  /** Versions whose schema is not judged. */
  readonly accepted: ReadonlySet<string>;
  /** Versions whose selectable fields are too many, but unchanged. */
  readonly manySelectable: ReadonlySet<string>;
  /** Expressions of the installed CRD, which may use all that the API server knows. */
  readonly installedRules: ReadonlySet<string>;
  readonly installedMessages: ReadonlySet<string>;
};

export const STRICT: Options = {
  tolerates: { ...NOTHING, caBundle: true },
  unchanged: new Set(),
  accepted: new Set(),
  manySelectable: new Set(),
  installedRules: new Set(),
  installedMessages: new Set(),
};
