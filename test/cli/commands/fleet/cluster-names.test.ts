import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { listClusters } from "../../../../src/cli/commands/fleet/fleet-clusters.ts";
import { createTestIo } from "../../../support/cli/test-io.ts";
import { createTemporaryFolder } from "../../../../verify/shared/temporary-folder.ts";

const folder = createTemporaryFolder();

async function writeKubeconfig(name: string, contexts: readonly string[]): Promise<string> {
  const file = join(folder, name);
  const config = {
    apiVersion: "v1",
    kind: "Config",
    "current-context": contexts[0],
    contexts: contexts.map((context) => ({ name: context, context: { cluster: context, user: "admin" } })),
    clusters: contexts.map((context) => ({ name: context, cluster: { server: `https://${context}.example:6443` } })),
    users: [{ name: "admin", user: {} }],
  };
  await writeFile(file, JSON.stringify(config));
  return file;
}

async function listNames(kubeconfig: readonly string[], context: readonly string[] = []): Promise<readonly string[]> {
  return (await listClusters({ kubeconfig, context }, createTestIo([]))).map(({ name }) => name);
}

test("a cluster is named after its file and context, and an only one after what tells more of it", async () => {
  const one = await writeKubeconfig("config", ["shop"]);
  const two = await writeKubeconfig("b.yaml", ["east", "west"]);
  assert.deepEqual(await listNames([one]), ["shop"]);
  assert.deepEqual(await listNames([two], ["west"]), ["west"]);
  assert.deepEqual(await listNames([await writeKubeconfig("prod-1.yaml", ["admin"])]), ["prod-1"]);
  assert.deepEqual(await listNames([two]), ["b/east", "b/west"]);
  assert.deepEqual(await listNames([one, two]), ["b/east", "b/west", "config"]);
});
