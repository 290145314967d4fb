import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { REQUEST, RUNNER } from "../../src/controller/api/api-paths.ts";
import { type JsonObject, objectAt, textAt } from "../../src/model/json.ts";
import { SIGNATURES_NAMESPACE } from "../../src/model/release.ts";
import { useFaultStage } from "../support/controller/fault-stage.ts";
import { imageOf, readClusterVersion, readObject } from "../../verify/operator/stage.ts";
import { applyObjects } from "../../verify/api-server/apply-objects.ts";
import * as objects from "../../verify/api-server/objects.ts";
import { noControlPlane } from "../../verify/api-server/control-plane.ts";
import { eventually } from "../../verify/shared/eventually.ts";
import { createTestKey } from "../../verify/signatures/openpgp.ts";
import { buildReleaseTrust } from "../../verify/signatures/release-trust.ts";

const CONFIG_MAPS = `/api/v1/namespaces/${SIGNATURES_NAMESPACE}/configmaps`;
const ROLE_BINDINGS = `/apis/rbac.authorization.k8s.io/v1/namespaces/${SIGNATURES_NAMESPACE}/rolebindings`;
const REFUSED = /Failed=True SignatureNotVerified; Running=False SignatureNotVerified/;
const OWN_IMAGE = `registry.example/own@sha256:${"c".repeat(64)}`;

describe("the image runs only with a signature that the cluster trusts", { skip: noControlPlane }, () => {
  const { set, begin, says, cleanUpWith } = useFaultStage();
  /** Removes an object until the end of the test, or until it is given back. */
  const remove = async (path: string): Promise<() => Promise<void>> => {
    const { cluster } = set();
    const { metadata, ...content } = await objects.readObject(cluster, path);
    const saved = {
      ...content,
      metadata: {
        namespace: SIGNATURES_NAMESPACE,
        name: textAt(metadata, "name") ?? "",
        labels: objectAt(metadata, "labels"),
      },
    };
    const restore = (): Promise<void> => applyObjects(cluster, [saved]);
    cleanUpWith(restore);
    await objects.deleteObject(cluster, path);
    return restore;
  };
  const expectNoRunner = async (): Promise<void> => assert.equal(await readObject(set().api, RUNNER), undefined);
  const expectRunner = (signature: string): Promise<void> =>
    eventually(async () => {
      const runner = await readObject(set().api, RUNNER);
      assert.equal(textAt(runner, "metadata", "annotations", "preflight-signature"), signature);
    });
  const statusOf = async (): Promise<string> => {
    const { code, out } = await set().run("status");
    assert.equal(code, 1);
    return out;
  };

  test("a missing signature is reported with what to do, and once it is there the runner starts", async () => {
    const restore = await remove(`${CONFIG_MAPS}/signatures`);
    begin();
    await set().command("request", "--to", "5.1.2");
    await says(REFUSED);
    await expectNoRunner();
    assert.match(
      await statusOf(),
      /no signature of it was found in the ConfigMaps of openshift-config-managed\. .*oc-mirror.*--allow-unverified/,
    );
    await restore();
    await says(/Failed=False AsExpected; Running=True Starting/);
    await expectRunner("verified");
    assert.doesNotMatch((await set().run("status")).out, /verified signature/);
  });

  test("what runs goes on without keys and without signatures, and a new target needs its own", async () => {
    begin();
    await set().command("request", "--to", "5.1.2");
    await expectRunner("verified");
    const before = imageOf(await readObject(set().api, RUNNER));
    await remove(`${CONFIG_MAPS}/release-verification`);
    begin();
    await says(/Running=True Starting/);
    assert.equal(imageOf(await readObject(set().api, RUNNER)), before);
    await set().command("request", "--to", "5.0.9");
    await says(REFUSED);
    await expectNoRunner();
    assert.match(await statusOf(), /the cluster has no ConfigMap openshift-config-managed\/release-verification/);
  });

  test("a signature by another key does not count", async () => {
    const restore = await remove(`${CONFIG_MAPS}/release-verification`);
    const [keys] = buildReleaseTrust(createTestKey("Other <other@example.com>"), {});
    await applyObjects(set().cluster, keys === undefined ? [] : [keys]);
    begin();
    await set().command("request", "--to", "5.1.2");
    await says(REFUSED);
    assert.match(await statusOf(), /not signed by a key that this cluster trusts \(it has 1 signature by others\)/);
    await restore();
    await expectRunner("verified");
  });

  test("an account that may not read the keys says so", async () => {
    await remove(`${ROLE_BINDINGS}/preflight-controller`);
    begin();
    await set().command("request", "--to", "5.1.2");
    await says(REFUSED);
    assert.match(await statusOf(), /release-verification, which has the keys .* can't be read: .*forbidden/);
  });

  test("a request may allow it, which status says, and no longer", async () => {
    begin();
    await set().command("request", "--to-image", OWN_IMAGE);
    await says(REFUSED);
    await expectNoRunner();
    const allowed = await set().run("request", "--to-image", OWN_IMAGE, "--allow-unverified");
    assert.match(allowed.err, /^warning: The release image runs on a control-plane node even if /m);
    await expectRunner("unverified");
    // The conditions follow the runner.
    await eventually(async () => {
      const { out } = await set().run("status");
      assert.equal(out.match(/The request allows the release image to run without a verified signature\./g)?.length, 2);
    });
    await set().command("request", "--to-image", OWN_IMAGE);
    await says(REFUSED);
    await expectNoRunner();
    const request: JsonObject | undefined = await readObject(set().api, REQUEST);
    assert.equal(textAt(request, "data", "allow-unverified"), undefined);
    assert.match(JSON.stringify(await readClusterVersion(set().api)), /SignatureNotVerified/);
  });
});
