import assert from "node:assert/strict";
import { test } from "node:test";
import type { ClusterSession } from "../../../src/cli/client/connection.ts";
import { readSignatureConfigMaps } from "../../../src/cli/target-release/image-signature.ts";
import type { JsonObject } from "../../../src/model/json.ts";
import type { Reader } from "../../../src/model/reader.ts";

const DIGEST = `sha256:${"a1".repeat(32)}`;
const KEY = DIGEST.replace(":", "-");
const never = new AbortController().signal;

function buildConfigMap(name: string, keys: readonly string[]): JsonObject {
  const binaryData = Object.fromEntries(keys.map((key) => [key, "YWJj"]));
  return { metadata: { namespace: "openshift-config-managed", name }, binaryData };
}

/** A cluster with ConfigMaps by name, some of which have the label. */
function buildSession(named: readonly JsonObject[], listed: readonly JsonObject[] | "forbidden" | "recorded") {
  const asked: string[] = [];
  const get: Reader["get"] = async ({ name }) => {
    asked.push(name);
    const object = named.find(({ metadata }) => JSON.stringify(metadata).includes(`"${name}"`));
    return object === undefined ? { kind: "absent", what: "object" } : { kind: "found", object, bytes: 0 };
  };
  const reader: Reader = { get, list: () => assert.fail("no list"), raw: () => assert.fail("no text") };
  const listSignatures: ClusterSession["listSignatures"] = async (_resource, _selection, begin) => {
    if (typeof listed === "string") return { kind: "failed", reason: "Forbidden", message: "403 forbidden" };
    const visit = begin();
    listed.forEach((object) => visit(object));
    return { kind: "listed", objects: listed.length, bytes: 0 };
  };
  const session = { reader, ...(listed === "recorded" ? {} : { listSignatures }) };
  return { session, asked };
}

test("every ConfigMap with the label counts, whatever its name, and keys without a number too", async () => {
  const { session, asked } = buildSession(
    [],
    [buildConfigMap("mine", [`${KEY}-1`, KEY, `sha256-${"b2".repeat(32)}-1`])],
  );
  const { signatures, failure } = await readSignatureConfigMaps(DIGEST, session, never);
  assert.deepEqual(
    [signatures.map(({ origin }) => origin), failure, asked],
    [[`${KEY}-1`, KEY].map((key) => `${key} in ConfigMap openshift-config-managed/mine`), undefined, []],
  );
});

for (const listed of ["forbidden", "recorded"] as const)
  test(`those by the names of the usual tools are read where a list is ${listed}`, async () => {
    const named = [buildConfigMap("mirrored-release-signatures", [`${KEY}-1`]), buildConfigMap(KEY, [`${KEY}-1`])];
    const { session, asked } = buildSession(named, listed);
    const { signatures, failure } = await readSignatureConfigMaps(DIGEST, session, never);
    assert.equal(signatures.length, 2);
    assert.equal(failure, listed === "forbidden" ? "403 forbidden" : undefined);
    assert.deepEqual(asked, ["mirrored-release-signatures", KEY]);
  });
