import { findOwn } from "../../model/json.ts";
import { type Resource, formatGroupVersion, parseResource } from "../../model/resource.ts";
import { BOOL, DYN, INT, STRING, type Type, type ValueType, listType, mapType } from "../../schema/cel/index.ts";
import { TABLE_VERSIONS, listFieldRows, listKindRows, parseKindRows, removeVersion } from "./kind-table.ts";
import { type Kind, type KindTable, objectType, plainField } from "./kind.ts";

const FLOWS = "flowschemas/any prioritylevelconfigurations/any";
const POLICIES = "validatingadmissionpolicies/any validatingadmissionpolicybindings/any";

/** What Kubernetes 1.25 or a later one serves, and the newest does not: of these, the fields are not known. */
const FORMER: Readonly<Record<string, string>> = {
  "admissionregistration.k8s.io/v1alpha1": POLICIES,
  "admissionregistration.k8s.io/v1beta1": POLICIES,
  "autoscaling/v2beta2": "horizontalpodautoscalers:any",
  "certificates.k8s.io/v1alpha1": "podcertificaterequests:any",
  "coordination.k8s.io/v1alpha1": "leasecandidates:any",
  "flowcontrol.apiserver.k8s.io/v1beta1": FLOWS,
  "flowcontrol.apiserver.k8s.io/v1beta2": FLOWS,
  "networking.k8s.io/v1alpha1": "clustercidrs/any",
  "resource.k8s.io/v1alpha1": "podschedulings:any resourceclaims:any resourceclaimtemplates:any resourceclasses/any",
  "resource.k8s.io/v1alpha3":
    "deviceclasses/any podschedulingcontexts:any resourceclaims:any resourceclaimtemplates:any resourceslices/any",
  "storage.k8s.io/v1beta1": "csistoragecapacities:any",
};

/** Kubernetes' own kinds. */
export const BUILT_IN_KINDS: KindTable = {
  find: (resource) => listKinds(formatGroupVersion(resource)).get(resource.resource),
};

const versions = new Map<string, ReadonlyMap<string, Kind>>();

function listKinds(version: string): ReadonlyMap<string, Kind> {
  const known = versions.get(version) ?? buildKinds(version);
  versions.set(version, known);
  return known;
}

/** Every resource that some Kubernetes from 1.25 on serves. */
export function listServed(): readonly Resource[] {
  const names = new Set([...TABLE_VERSIONS, ...Object.keys(FORMER)]);
  return [...names].flatMap((name) => [...listKinds(name).keys()].map((plural) => parseResource(`${name}/${plural}`)));
}

function buildKinds(version: string): ReadonlyMap<string, Kind> {
  const rows = [...listKindRows(version), ...parseKindRows(version, findOwn(FORMER, version) ?? "")];
  return new Map(rows.map(({ plural, scope, type }) => [plural, { scope, type: buildType(type) }]));
}

/** A number may be whole, which is then an int. Times, bytes and quantities are served as texts. */
const PLAIN: Readonly<Record<string, Type>> = {
  any: DYN,
  boolean: BOOL,
  bytes: STRING,
  int32: INT,
  integer: INT,
  number: DYN,
  numberOrText: DYN,
  quantity: STRING,
  string: STRING,
  time: STRING,
};

function buildType(text: string): Type {
  const inner = text.slice(1, -1);
  if (text.startsWith("[")) return listType(buildType(inner));
  if (text.startsWith("{")) return mapType(STRING, buildType(inner));
  if (text.startsWith("(")) return STRING;
  return findOwn(PLAIN, text) ?? findObjectType(text);
}

const objects = new Map<string, Type>();

/** A type may have fields of its own type. */
function findObjectType(name: string): Type {
  const known = objects.get(name);
  if (known !== undefined) return known;
  const fields = new Map<string, ValueType>();
  const required = new Set<string>();
  const type: Type = { kind: "struct", name: removeVersion(name), parameters: [], fields, required };
  objects.set(name, type);
  for (const field of listFieldRows(name).filter(({ until }) => until === undefined)) {
    fields.set(field.name, plainField(buildType(field.type)));
    if (field.isRequired) required.add(field.name);
  }
  return type;
}

/** What every object has: all that is read of one of which the metadata alone is read. */
export const METADATA = objectType("PartialObjectMetadata", {
  apiVersion: STRING,
  kind: STRING,
  metadata: findObjectType("V1ObjectMeta"),
});
