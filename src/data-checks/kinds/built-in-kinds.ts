import table from "./built-in-kinds.json" with { type: "json" };
import { findOwn } from "../../model/json.ts";
import { type Resource, parseResource } from "../../model/resource.ts";
import { BOOL, DYN, INT, STRING, type Type, type ValueType, listType, mapType } from "../../schema/cel/index.ts";
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
  find: ({ group, version, resource }) => listKinds(joinVersion(group, version)).get(resource),
};

function joinVersion(group: string, version: string): string {
  return group === "" ? version : `${group}/${version}`;
}

const versions = new Map<string, ReadonlyMap<string, Kind>>();

function listKinds(version: string): ReadonlyMap<string, Kind> {
  const texts = `${findOwn(table.kinds, version) ?? ""} ${findOwn(FORMER, version) ?? ""}`;
  const known = versions.get(version) ?? new Map(texts.split(" ").flatMap(parseKind));
  versions.set(version, known);
  return known;
}

/** Every resource that some Kubernetes from 1.25 on serves. */
export function listServed(): readonly Resource[] {
  const names = new Set([...Object.keys(table.kinds), ...Object.keys(FORMER)]);
  return [...names].flatMap((name) => [...listKinds(name).keys()].map((plural) => parseResource(`${name}/${plural}`)));
}

/** "pods:V1Pod", or "nodes/V1Node". */
function parseKind(text: string): readonly (readonly [plural: string, kind: Kind])[] {
  const [, plural = "", sign = "", type = ""] = /^(.*)([:/])(.*)$/.exec(text) ?? [];
  return type === "" ? [] : [[plural, { scope: sign === ":" ? "Namespaced" : "Cluster", type: buildType(type) }]];
}

/** A number may be whole, which is then an int. */
const PLAIN: Readonly<Record<string, Type>> = { any: DYN, boolean: BOOL, integer: INT, number: DYN, string: STRING };

function buildType(text: string): Type {
  const inner = text.slice(1, -1);
  if (text.startsWith("[")) return listType(buildType(inner));
  if (text.startsWith("{")) return mapType(STRING, buildType(inner));
  return findOwn(PLAIN, text) ?? findObjectType(text);
}

const objects = new Map<string, Type>();

/** A type may have fields of its own type. */
function findObjectType(name: string): Type {
  const known = objects.get(name);
  if (known !== undefined) return known;
  const fields = new Map<string, ValueType>();
  const required = new Set<string>();
  const type: Type = { kind: "struct", name: name.replace(VERSION, ""), parameters: [], fields, required };
  objects.set(name, type);
  for (const [, field = "", mark, inner = "string"] of (findOwn(table.types, name) ?? "").matchAll(FIELD)) {
    fields.set(field, plainField(buildType(inner)));
    if (mark === "!") required.add(field);
  }
  return type;
}

/** "V1", "V1beta1", and "CoreV1" of a kind that two groups have. */
const VERSION = /^(?:[A-Z][a-z]+)?V\d+(?:(?:alpha|beta)\d+)?(?=[A-Z])/;
const FIELD = /([^ !:]+)(!?)(?::(\S+))?/g;

/** What every object has: all that is read of one of which the metadata alone is read. */
export const METADATA = objectType("PartialObjectMetadata", {
  apiVersion: STRING,
  kind: STRING,
  metadata: findObjectType("V1ObjectMeta"),
});
