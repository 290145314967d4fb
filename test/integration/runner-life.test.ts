import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { NAMESPACE_PODS, RUNNER, RUNNER_NAME } from "../../src/controller/api/api-paths.ts";
import { type JsonObject, listAt, objectAt, textAt } from "../../src/model/json.ts";
import { useFaultStage } from "../support/controller/fault-stage.ts";
import * as stage from "../../verify/operator/stage.ts";
import { getCollectionPath } from "../../verify/api-server/api-path.ts";
import { applyObjects } from "../../verify/api-server/apply-objects.ts";
import { noControlPlane } from "../../verify/api-server/control-plane.ts";
import { createObject, deleteObject, patchObject, readObject } from "../../verify/api-server/objects.ts";
import { eventually } from "../../verify/shared/eventually.ts";
import { nightly, sampleEach } from "../support/cases/sample.ts";

const PLACE = "/api/v1/namespaces/openshift-cluster-version";
const QUOTA = `${PLACE}/resourcequotas/tight`;
const NAMESPACE = ["-n", "openshift-cluster-version"];
const DEPLOYMENT = `deployment/${RUNNER_NAME}`;
const CHECKING = /Failed=False AsExpected; Running=True Checking/;
const REFUSED = /Failed=True DeploymentRefused; Running=False DeploymentRefused/;

describe("what keeps the runner's pod from being made", { skip: noControlPlane }, () => {
  const { set, begin, says, tells, cleanUpWith } = useFaultStage();

  test("a quota, until it is raised", async () => {
    begin();
    set().nodes.setMode({ kind: "hangs" });
    const quota = { metadata: { name: "tight" }, spec: { hard: { pods: "1" } } };
    await createObject(set().cluster, getCollectionPath(QUOTA), quota);
    cleanUpWith(async () => void (await deleteObject(set().cluster, QUOTA)));
    // The operator's own pod uses it up, which the controller of quotas counts.
    const used = async () => textAt(await readObject(set().cluster, QUOTA), "status", "used", "pods");
    await eventually(async () => assert.equal(await used(), "1"));
    await set().command("request", "--to", "5.1.2");
    await says(REFUSED);
    await tells(/could not be created: .* exceeded quota: tight, requested: pods=1, limited: pods=1/);
    await patchObject(set().cluster, QUOTA, { spec: { hard: { pods: "2" } } });
    await says(CHECKING);
  });

  test("Pod Security, until the namespace allows the host's network and folders", { skip: nightly }, async () => {
    begin();
    set().nodes.setMode({ kind: "hangs" });
    const enforce = async (level: string): Promise<void> =>
      void (await patchObject(set().cluster, PLACE, { metadata: { labels: { [ENFORCE]: level } } }));
    await enforce("baseline");
    cleanUpWith(() => enforce("privileged"));
    await set().command("request", "--to", "5.1.2");
    await says(REFUSED);
    await tells(
      /violates PodSecurity "baseline:latest": .*hostNetwork=true.*hostPath volumes \(volume "updatepayloads"\)/,
    );
    await enforce("privileged");
    await says(CHECKING);
  });

  test("a missing priority class, until there is one", { skip: nightly }, async () => {
    begin("--priority-class", "not-there");
    set().nodes.setMode({ kind: "hangs" });
    await set().command("request", "--to", "5.1.2");
    await says(REFUSED);
    await tells(/could not be created: .* no PriorityClass with name not-there was found/);
    const priority = { apiVersion: "scheduling.k8s.io/v1", kind: "PriorityClass", metadata: { name: "not-there" } };
    await applyObjects(set().cluster, [{ ...priority, value: 1 }]);
    await says(CHECKING);
  });

  test("an admission policy against the Deployment itself, until it is gone", { skip: nightly }, async () => {
    const { cluster } = set();
    await applyObjects(cluster, POLICY);
    const remove = async (): Promise<void> => {
      for (const kind of ["policies", "policybindings"])
        await deleteObject(
          cluster,
          `/apis/${GROUP}/validatingadmission${kind}?fieldSelector=metadata.name%3Dno-runners`,
        );
    };
    cleanUpWith(remove);
    const tryToCreate = () => createObject(cluster, `${getCollectionPath(RUNNER)}?dryRun=All`, OTHER_DEPLOYMENT);
    await eventually(async () => assert.rejects(tryToCreate(), /denied/));
    begin();
    set().nodes.setMode({ kind: "hangs" });
    await set().command("request", "--to", "5.1.2");
    await says(REFUSED);
    await tells(/Message: .*denied request: no runners here/);
    await remove();
    await says(CHECKING);
  });
});

const GROUP = "admissionregistration.k8s.io/v1";
const RULE = { apiGroups: ["apps"], apiVersions: ["v1"], operations: ["CREATE"], resources: ["deployments"] };
const POLICY: readonly JsonObject[] = [
  {
    apiVersion: GROUP,
    kind: "ValidatingAdmissionPolicy",
    metadata: { name: "no-runners" },
    spec: {
      matchConstraints: { resourceRules: [RULE] },
      validations: [{ expression: "false", message: "no runners here" }],
    },
  },
  {
    apiVersion: GROUP,
    kind: "ValidatingAdmissionPolicyBinding",
    metadata: { name: "no-runners" },
    spec: { policyName: "no-runners", validationActions: ["Deny"] },
  },
];

const OTHER_LABELS = { app: "other" };
const OTHER_DEPLOYMENT: JsonObject = {
  metadata: { name: "other" },
  spec: {
    selector: { matchLabels: OTHER_LABELS },
    template: { metadata: { labels: OTHER_LABELS }, spec: { containers: [{ name: "a", image: "a" }] } },
  },
};

/** Five looks of the controller. */
const QUIET_MS = 1_500;
const MAX_TRIES = 20;
const ENFORCE = "pod-security.kubernetes.io/enforce";

const EDITS: readonly (readonly [string, readonly string[]])[] = [
  ["scaled to 0", ["scale", DEPLOYMENT, "--replicas=0"]],
  ["paused", ["rollout", "pause", DEPLOYMENT]],
  ["given another image", ["set", "image", DEPLOYMENT, "preflight=example.com/other:1"]],
  ["given a variable", ["set", "env", DEPLOYMENT, "PREFLIGHT_ONLY=nodes"]],
  ["deleted", ["delete", DEPLOYMENT]],
  ["left without its ReplicaSet", ["delete", "rs", "-l", `app=${RUNNER_NAME}`]],
];

describe("what people do to the runner's Deployment is undone", { skip: noControlPlane }, () => {
  const { set, begin, says, tells, listWrites } = useFaultStage();
  const kubectl = (...args: readonly string[]): Promise<string> => set().cluster.kubectl([...args, ...NAMESPACE]);
  const listUids = async (): Promise<readonly string[]> =>
    (await stage.listPods(set().api)).map((pod) => textAt(pod, "metadata", "uid") ?? "");
  const request = async (): Promise<readonly string[]> => {
    begin();
    set().nodes.setMode({ kind: "hangs" });
    await set().command("request", "--to", "5.1.2");
    await says(CHECKING);
    return listUids();
  };
  /** The controller comes to rest, however long the last change takes: what undoes its own work never does. */
  const assertAtRest = async (): Promise<void> => {
    for (let tries = 1; ; tries += 1) {
      const writes = (await listWrites()).length;
      await sleep(QUIET_MS);
      const more = (await listWrites()).slice(writes);
      if (more.length === 0) return;
      assert.ok(tries < MAX_TRIES, more.join());
    }
  };
  /** One other pod runs, and no more is done. */
  const assertReplaced = async (before: readonly string[]): Promise<void> => {
    await eventually(async () => {
      const now = await listUids();
      assert.ok(now.length === 1 && !before.includes(now[0] ?? ""), now.join());
    });
    await says(CHECKING);
    await assertAtRest();
  };

  for (const [title, edit] of sampleEach(EDITS, 3))
    test(title, async () => {
      const before = await request();
      await kubectl(...edit);
      await assertReplaced(before);
      const { template, replicas, paused } = objectAt(await readObject(set().cluster, RUNNER), "spec");
      const images = listAt(template, "spec", "containers").map((container) => textAt(container, "image"));
      assert.deepEqual([images, replicas, paused], [[stage.OUR_IMAGE], 1, undefined]);
    });

  test("what the API server itself makes of it is left alone", async () => {
    begin("--memory-limit", "1024Mi");
    set().nodes.setMode({ kind: "hangs" });
    await set().command("request", "--to", "5.1.2");
    await says(CHECKING);
    const container = objectAt(await readObject(set().cluster, RUNNER), "spec", "template", "spec", "containers", 0);
    assert.equal(textAt(container, "resources", "limits", "memory"), "1Gi");
    await assertReplaced([]);
  });

  test("deleted without its pods, which are named as what the next runner waits for", { skip: nightly }, async () => {
    const before = await request();
    await kubectl("delete", DEPLOYMENT, "--cascade=orphan");
    await says(/Running=False NotStarted/);
    await tells(new RegExp(`The runner starts once pod ${RUNNER_NAME}-\\S+ of the runner before it has ended`));
    await kubectl("delete", "rs", "-l", `app=${RUNNER_NAME}`);
    await assertReplaced(before);
  });

  test("another target: its pod is made only once the first one is gone, and cancelling leaves nothing", async () => {
    await request();
    await set().command("request", "--to", "5.0.9");
    const seen = new Set<string>();
    await eventually(async () => {
      const images = (await stage.listPods(set().api)).map((pod) => textAt(pod, "spec", "initContainers", 0, "image"));
      assert.ok(images.length < 2, images.join());
      for (const one of images) seen.add(one ?? "");
      assert.match([...seen].at(-1) ?? "", /352e302e39/);
    });
    await says(CHECKING);
    await set().command("cancel");
    const kinds = [
      getCollectionPath(RUNNER),
      getCollectionPath(RUNNER).replace("deployments", "replicasets"),
      NAMESPACE_PODS,
    ];
    await eventually(async () => {
      for (const kind of kinds) {
        const { items } = await readObject(set().cluster, `${kind}?labelSelector=app%3D${RUNNER_NAME}`);
        assert.deepEqual(items, [], kind);
      }
    });
  });
});
