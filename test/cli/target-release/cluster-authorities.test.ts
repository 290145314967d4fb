import assert from "node:assert/strict";
import { test } from "node:test";
import { readClusterAuthorities } from "../../../src/cli/client/cluster-network.ts";
import type { JsonObject } from "../../../src/model/json.ts";
import { neverAborted } from "../../support/cluster/mock-server.ts";
import { type FakeResponse, fakeReader } from "../../../verify/api-server/fake-reader.ts";

const CONFIG = "/apis/config.openshift.io/v1";
const CONFIG_MAPS = "/api/v1/namespaces/openshift-config/configmaps";
const refer = (field: string, name: string): JsonObject => ({ spec: { [field]: { name } } });

function readFrom(answers: Readonly<Record<string, FakeResponse>>) {
  return readClusterAuthorities(fakeReader(answers), neverAborted);
}

test("a registry's authorities count for its host and port, the proxy's bundle for every host", async () => {
  const authorities = await readFrom({
    [`${CONFIG}/images/cluster`]: refer("additionalTrustedCA", "registries"),
    [`${CONFIG}/proxies/cluster`]: refer("trustedCA", "user-ca-bundle"),
    [`${CONFIG_MAPS}/registries`]: { data: { "a.example": "A", "b.example..5000": "B", empty: "" } },
    [`${CONFIG_MAPS}/user-ca-bundle`]: { data: { "ca-bundle.crt": "ALL", other: "x" } },
  });
  assert.deepEqual(authorities, [
    { host: "a.example", pem: "A" },
    { host: "b.example:5000", pem: "B" },
    { host: "", pem: "ALL" },
  ]);
});

test("what names no ConfigMap, is absent or forbidden adds nothing", async () => {
  const forbidden = { kind: "failed", reason: "Forbidden", message: "no" } as const;
  assert.deepEqual(await readFrom({}), []);
  const answers = { [`${CONFIG}/images/cluster`]: { spec: {} }, [`${CONFIG}/proxies/cluster`]: forbidden };
  assert.deepEqual(await readFrom(answers), []);
  const named = { [`${CONFIG}/proxies/cluster`]: refer("trustedCA", "b"), [`${CONFIG_MAPS}/b`]: forbidden };
  assert.deepEqual(await readFrom(named), []);
});
