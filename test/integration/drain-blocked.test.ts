import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { JsonObject } from "../../src/model/json.ts";
import { connectAdminApi } from "../../verify/api-server/admin-api.ts";
import { runCheck } from "../support/check-run.ts";
import { type ControlPlane, noControlPlane, startKubernetes } from "../../verify/api-server/control-plane.ts";
import { connectEtcd } from "../../verify/api-server/etcd-store.ts";
import { askEvictions } from "../support/evictions/api-server.ts";
import { syncAll } from "../support/evictions/disruption-controller.ts";
import type { DrainState, PodController, PodState, TestBudget, TestPod } from "../support/evictions/state.ts";
import type { TestServer } from "../support/test-server.ts";

/** A fault, and the state after an administrator did what the risk says. */
type Repair = {
  readonly title: string;
  readonly risk: string;
  readonly broken: Pick<DrainState, "pods" | "controllers" | "budgets">;
  readonly mended: Partial<Pick<DrainState, "pods" | "controllers" | "budgets">>;
};

const LABELS = { app: "web" };
const REPLICA_SET: PodController = { kind: "ReplicaSet", uid: "web", replicas: 3 };
const DAEMON_SET: PodController = { kind: "DaemonSet", uid: "agent", replicas: 1 };

function buildPods(states: readonly PodState[], controller?: PodController): readonly TestPod[] {
  return states.map((state, i) => ({
    name: `${controller?.uid ?? "bare"}-${i}`,
    labels: { ...LABELS, index: String(i) },
    state,
    ...(controller ? { controller } : {}),
  }));
}

function buildBudget(limit: JsonObject, name = "web", selector: JsonObject = { matchLabels: LABELS }): TestBudget {
  return {
    name,
    generation: 1,
    spec: { selector, ...limit },
    status: { observedGeneration: 1, disruptionsAllowed: 0 },
  };
}

const THREE = buildPods(["healthy", "healthy", "healthy"], REPLICA_SET);
const SINGLE: PodController = { ...REPLICA_SET, replicas: 1 };
const PART: JsonObject = { matchExpressions: [{ key: "index", operator: "In", values: ["0", "1"] }] };
const BLOCKED = "DrainBlockedByDisruptionBudget";

const REPAIRS: readonly Repair[] = [
  {
    title: "run more pods than the budget requires",
    risk: BLOCKED,
    broken: {
      controllers: [SINGLE],
      pods: buildPods(["healthy"], SINGLE),
      budgets: [buildBudget({ minAvailable: 1 })],
    },
    mended: { controllers: [REPLICA_SET], pods: THREE },
  },
  {
    title: "replace the limit with spec.maxUnavailable 1",
    risk: BLOCKED,
    broken: { controllers: [REPLICA_SET], pods: THREE, budgets: [buildBudget({ minAvailable: "100%" })] },
    mended: { budgets: [buildBudget({ maxUnavailable: 1 })] },
  },
  {
    title: "set a number in spec.minAvailable for pods without a controller",
    risk: BLOCKED,
    broken: {
      controllers: [],
      pods: buildPods(["healthy", "healthy"]),
      budgets: [buildBudget({ maxUnavailable: 1 })],
    },
    mended: { budgets: [buildBudget({ minAvailable: 1 })] },
  },
  {
    title: "let the selector take all pods of their controllers",
    risk: BLOCKED,
    broken: { controllers: [REPLICA_SET], pods: THREE, budgets: [buildBudget({ maxUnavailable: 1 }, "web", PART)] },
    mended: { budgets: [buildBudget({ maxUnavailable: 1 })] },
  },
  {
    title: "delete the budget",
    risk: BLOCKED,
    broken: {
      controllers: [REPLICA_SET],
      pods: buildPods(["healthy", "healthy", "Failed"], REPLICA_SET),
      budgets: [buildBudget({ minAvailable: 2 })],
    },
    mended: { budgets: [] },
  },
  {
    title: "repair the pods that are not healthy",
    risk: "DisruptionBudgetExhausted",
    broken: {
      controllers: [REPLICA_SET],
      pods: buildPods(["healthy", "healthy", "unhealthy"], REPLICA_SET),
      budgets: [buildBudget({ maxUnavailable: 1 })],
    },
    mended: { pods: THREE },
  },
  {
    title: "set spec.minAvailable to a number of pods",
    risk: "DisruptionBudgetNotComputed",
    broken: {
      controllers: [REPLICA_SET, DAEMON_SET],
      pods: [...THREE, ...buildPods(["healthy"], DAEMON_SET)],
      budgets: [buildBudget({ maxUnavailable: 1 })],
    },
    mended: { budgets: [buildBudget({ minAvailable: 3 })] },
  },
  {
    title: "change the selectors until they select different pods",
    risk: "PodsInSeveralDisruptionBudgets",
    broken: {
      controllers: [REPLICA_SET],
      pods: THREE,
      budgets: [buildBudget({ maxUnavailable: 1 }), buildBudget({ maxUnavailable: 1 }, "again")],
    },
    mended: {
      budgets: [
        buildBudget({ maxUnavailable: 1 }),
        buildBudget({ maxUnavailable: 1 }, "again", { matchLabels: { app: "other" } }),
      ],
    },
  },
];

describe("drains that can't finish, on a real control plane", { skip: noControlPlane }, () => {
  let cluster: ControlPlane | undefined;
  let server: TestServer | undefined;
  let close = (): void => undefined;
  before(async () => {
    cluster = await startKubernetes();
    const api = await connectAdminApi(cluster);
    close = api.close;
    server = { api, etcd: connectEtcd(cluster) };
    await cluster.kubectl(["create", "namespace", "shop"]);
  });
  after(async () => {
    close();
    await cluster?.down();
  });

  const check = () =>
    runCheck(["--kubeconfig", cluster?.kubeconfig ?? "", "--target-version", "v1.37", "--only", "drain-blocked"]);

  for (const { title, risk, broken, mended } of REPAIRS)
    test(`${risk}: ${title}`, async () => {
      const target = server ?? assert.fail("the control plane did not start");
      // The check reads the clock of this machine.
      const since = new Date(Date.now() - 3 * 3_600_000).toISOString().replace(/\.\d+Z$/, "Z");
      const before = syncAll({ namespace: "shop", ...broken }, since);
      const after = syncAll({ ...before, ...mended }, since);
      const answers = await askEvictions(target, before);
      assert.ok(![...answers.values()].slice(0, 2).includes("evicted"), JSON.stringify([...answers]));
      const blocked = await check();
      assert.ok(blocked.findings.length > 0);
      for (const line of blocked.findings) assert.ok(line.startsWith(`drain-blocked ${risk} `), line);
      const later = await askEvictions(target, after, before);
      assert.deepEqual([...new Set(later.values())], ["evicted"]);
      assert.equal((await check()).outcomes["drain-blocked"], "clear");
      await askEvictions(target, { ...after, pods: [], budgets: [] }, after);
    });
});
