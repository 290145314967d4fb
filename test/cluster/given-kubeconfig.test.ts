import assert from "node:assert/strict";
import { test } from "node:test";
import { connect } from "../../src/cluster/access/connect.ts";
import { FailedError } from "../../src/model/errors.ts";

const ORIGIN = "Secret clusters/guest-admin-kubeconfig";

function buildKubeconfig(user: object, cluster: object = {}): string {
  return JSON.stringify({
    "current-context": "admin",
    contexts: [{ name: "admin", context: { cluster: "guest", user: "admin" } }],
    clusters: [{ name: "guest", cluster: { server: "https://guest.example:6443", ...cluster } }],
    users: [{ name: "admin", user }],
  });
}

const connectTo = (text: string) => connect({ env: {}, given: { origin: ORIGIN, text } });

test("a kubeconfig that is no file is used as it is", async () => {
  const connection = await connectTo(buildKubeconfig({ token: "abc" }));
  assert.deepEqual(
    [connection.server, connection.context, connection.origin],
    ["https://guest.example:6443", "admin", ORIGIN],
  );
  assert.equal((await connection.getAuth()).headers["Authorization"], "Bearer abc");
  connection.close();
});

test("it may name neither a plugin nor a file of this machine, since others wrote it", async () => {
  const local: readonly (readonly [user: object, cluster?: object])[] = [
    [{ exec: { apiVersion: "client.authentication.k8s.io/v1", command: "touch" } }],
    [{ "auth-provider": { name: "gcp" } }],
    [{ tokenFile: "/etc/hostname" }],
    [{ "client-certificate": "a.crt", "client-key": "a.key" }],
    [{ token: "abc" }, { "certificate-authority": "/etc/ssl/a.pem" }],
  ];
  for (const [user, cluster] of local)
    await assert.rejects(
      connectTo(buildKubeconfig(user, cluster)),
      (thrown) => thrown instanceof FailedError && /names something of this machine/.test(thrown.message),
    );
});
