import { type Crd, buildDefinition } from "../../../model/crd.ts";
import { type JsonObject, objectAt, textAt } from "../../../model/json.ts";
import type { ReadFailure, Reader } from "../../../model/reader.ts";
import { type Resource, getGroup } from "../../../model/resource.ts";

/** A cluster that has the given CRDs and objects and nothing else. */
export function createCrdReader(crds: readonly Crd[], objects: readonly JsonObject[], kubernetes: string): Reader {
  const definitions = crds.map(buildInstalled);
  return {
    get: async () => ({ kind: "absent", what: "resource" }),
    list: async (resource, begin) => {
      const listed =
        resource.resource === "customresourcedefinitions" ? definitions : selectObjects(resource, crds, objects);
      if (!isFound(listed)) return listed;
      const visit = begin(undefined);
      for (const object of listed) visit(object);
      return { kind: "listed", objects: listed.length, bytes: 0 };
    },
    raw: async (path, begin) => {
      const text = RESPONSES[path]?.(kubernetes);
      if (text === undefined) return { kind: "absent", what: "resource" };
      begin()(text);
      return { kind: "read", bytes: text.length };
    },
  };
}

const RESPONSES: Readonly<Record<string, (kubernetes: string) => string>> = {
  "/version": (kubernetes) => JSON.stringify({ gitVersion: kubernetes }),
  "/apis": () => JSON.stringify({ kind: "APIGroupList", groups: [{ name: "apiextensions.k8s.io" }] }),
};

/** Wherever the CRD was applied, objects are stored in its storage version. */
function buildInstalled(crd: Crd): JsonObject {
  const storedVersions = crd.versions.filter(({ storage }) => storage).map(({ name }) => name);
  const definition = buildDefinition(crd);
  return { ...definition, status: { ...objectAt(definition, "status"), storedVersions } };
}

function isFound(listed: readonly JsonObject[] | ReadFailure): listed is readonly JsonObject[] {
  return Array.isArray(listed);
}

function selectObjects(
  { group, version, resource, kind }: Resource,
  crds: readonly Crd[],
  objects: readonly JsonObject[],
): readonly JsonObject[] | ReadFailure {
  const crd = crds.find((one) => one.group === group && one.plural === resource);
  // Services of conversion webhooks are no matter of the CRDs.
  if (crd === undefined) return { kind: "failed", reason: "NotRecorded", message: "" };
  const own = objects.filter(
    (object) => textAt(object, "kind") === kind && getGroup(textAt(object, "apiVersion") ?? "") === group,
  );
  const apiVersion = `${group}/${version}`;
  const other = own.find((object) => object["apiVersion"] !== apiVersion);
  if (other !== undefined && crd.conversion.strategy === "Webhook") {
    const message = `objects are given in ${textAt(other, "apiVersion")}, and how a webhook converts them to ${version} is not known`;
    return { kind: "failed", reason: "NotUnderstood", message };
  }
  // Without a webhook, conversion changes nothing else.
  return own.map((object) => ({ ...object, apiVersion }));
}
