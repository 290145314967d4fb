import { type JsonObject, objectAt, textAt } from "../../src/model/json.ts";
import { eventually } from "../shared/eventually.ts";
import type { AdminApi, AdminResponse } from "./admin-api.ts";
import { CRDS } from "./api-path.ts";
import { encode, type EtcdGateway } from "./etcd-gateway.ts";

const GROUP = "sentinel.example.com";
const DEFINITION = `${CRDS}/sentinels.${GROUP}`;
const PAUSE_MS = 20;
const OBJECTS = `/apis/${GROUP}/v1/sentinels`;

/** A definition that says by a default which of its schemas is served: the API server takes definitions up one after the other. */
function buildSentinel(properties: JsonObject): JsonObject {
  const schema = { openAPIV3Schema: { type: "object", properties } };
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `sentinels.${GROUP}` },
    spec: {
      group: GROUP,
      scope: "Cluster",
      names: { plural: "sentinels", singular: "sentinel", kind: "Sentinel", listKind: "SentinelList" },
      versions: [{ name: "v1", served: true, storage: true, schema }],
    },
  };
}

/** Its object goes straight into etcd, because the API server lets nobody create one in a definition's first two seconds. */
export async function plantSentinel(api: AdminApi, etcd: EtcdGateway): Promise<void> {
  const metadata = {
    name: "one",
    uid: "00000000-0000-4000-8000-000000000001",
    creationTimestamp: "2026-01-01T00:00:00Z",
  };
  const object = { apiVersion: `${GROUP}/v1`, kind: "Sentinel", metadata };
  const key = `/registry/${GROUP}/sentinels/one`;
  await etcd.write([{ key, value: encode(JSON.stringify(object)) }]);
  requireCode(await api.call("POST", CRDS, buildSentinel({})), 201);
  await eventually(async () => requireCode(await api.call("GET", `${OBJECTS}/one`), 200), PAUSE_MS);
}

/** Waits until the API server serves every definition as it is now. */
export async function waitUntilServed(api: AdminApi): Promise<void> {
  const changed = buildSentinel({ state: { type: "string", default: "after" } });
  // The API server's own controllers write its status, sometimes between these two requests.
  await eventually(async () => {
    const { body } = await api.call("GET", DEFINITION);
    requireCode(await api.call("PUT", DEFINITION, { ...body, spec: objectAt(changed, "spec") }), 200);
  }, PAUSE_MS);
  await eventually(async () => {
    const object = await api.call("GET", `${OBJECTS}/one`);
    if (textAt(object.body, "state") !== "after") throw new Error("the API server does not serve the new schemas");
  }, PAUSE_MS);
}

export async function removeSentinel(api: AdminApi): Promise<void> {
  requireCode(await api.call("DELETE", DEFINITION), 200);
  await eventually(async () => requireCode(await api.call("GET", DEFINITION), 404), PAUSE_MS);
}

function requireCode({ code, body }: AdminResponse, wanted: number): void {
  if (code !== wanted) throw new Error(`the API server answered ${code}: ${textAt(body, "message") ?? ""}`);
}
