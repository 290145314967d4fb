import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import type { ApiClient, ApiWrite } from "../../src/cluster/writer/api-client.ts";
import { PODS, REQUEST, RUNNER } from "../../src/controller/api/api-paths.ts";
import { setCondition } from "../../src/lift/objects/conditions.ts";
import { listAt, objectAt } from "../../src/model/json.ts";
import { formatTime } from "../../src/model/time.ts";
import { eventually } from "../shared/eventually.ts";
import { readObject } from "../operator/stage.ts";
import { applyStep, isRequestable } from "./inputs.ts";
import { CAUSE_OBJECTS } from "./objects.ts";
import type { Cause, RunnerMode, Step } from "./schedule.ts";
import type { ChurnWorld } from "./world.ts";

/** The checks that the schedule's causes are for. */
const CHECKS = "cluster-operators,cluster-version,conditional-updates,drain-blocked,overrides";

const MERGE_PATCH = "application/merge-patch+json";

/** Carries a step out, and returns once it is an input of the cluster. */
export async function performStep(world: ChurnWorld, step: Step): Promise<void> {
  const before = world.inputs;
  const after = applyStep(before, step);
  // A lasting operator makes its lists of what comes, and a leaving one of what was.
  if (step.kind !== "operator" || step.to === "started") world.inputs = after;
  switch (step.kind) {
    case "request":
      return request(world, step, isRequestable(before, step.to));
    case "cancel":
      return runCommand(world, ["cancel"]);
    case "accept":
      return runCommand(world, ["accept", step.isAdded ? step.name : `${step.name}-`]);
    case "cause":
      if (before.causes[step.cause] !== step.isPresent) await setCause(world, step.cause, step.isPresent);
      return world.operator?.sync();
    case "offer":
    case "sync":
      return world.operator?.sync();
    case "update":
      await world.operator?.sync();
      if (after.isUpdating) await waitForEnd(world);
      return;
    case "operator":
      await changeOperator(world, step.to);
      world.inputs = after;
      return;
    case "runner":
      return setRunnerMode(world, step.mode);
    case "killRunner":
      return world.stage.killRunner();
    case "killController":
      return replaceController(world, step.replica);
    case "deleteDeployment":
      return send(world.stage.api, { method: "DELETE", path: RUNNER });
    case "editDeployment":
      return send(world.stage.api, {
        method: "PATCH",
        path: RUNNER,
        type: MERGE_PATCH,
        body: { spec: { replicas: 0 } },
      });
    case "wait":
      await sleep(step.ms);
      return;
  }
}

async function request(
  world: ChurnWorld,
  { to, lifted }: Extract<Step, { kind: "request" }>,
  isExpected: boolean,
): Promise<void> {
  const { code, err } = await world.stage.run("request", "--to", to, "--only", CHECKS, "--lifted", lifted);
  assert.equal(code, isExpected ? 0 : 1, `request ${to}: ${err}`);
}

async function runCommand(world: ChurnWorld, words: readonly string[]): Promise<void> {
  const { code, err } = await world.stage.run(...words);
  assert.equal(code, 0, `${words.join(" ")}: ${err}`);
}

async function setCause({ stage: { api } }: ChurnWorld, cause: Cause, isPresent: boolean): Promise<void> {
  if (cause === "budget")
    await (isPresent
      ? send(api, { method: "POST", path: BUDGETS, body: CAUSE_OBJECTS.budget })
      : send(api, { method: "DELETE", path: `${BUDGETS}/${CAUSE_OBJECTS.budget.metadata.name}` }));
  if (cause !== "operator") return;
  const [status, reason, message] = isPresent
    ? (["False", "VSphere", "The volumes are too old."] as const)
    : (["True", "AsExpected", ""] as const);
  const operator = (await readObject(api, STORAGE)) ?? {};
  const condition = { type: "Upgradeable", status, reason, message, lastTransitionTime: formatTime(new Date()) };
  const conditions = setCondition(listAt(operator, "status", "conditions"), condition);
  const body = { ...operator, status: { ...objectAt(operator, "status"), conditions } };
  await send(api, { method: "PUT", path: `${STORAGE}/status`, body });
}

const BUDGETS = `/apis/policy/v1/namespaces/${CAUSE_OBJECTS.budget.metadata.namespace}/poddisruptionbudgets`;
const STORAGE = "/apis/config.openshift.io/v1/clusteroperators/storage";

async function changeOperator(world: ChurnWorld, to: "started" | "stopped" | "killed"): Promise<void> {
  const { operator } = world;
  if (to === "started") {
    world.operator ??= await world.startOperator();
    return world.operator.sync();
  }
  if (!operator) return;
  await operator.sync();
  world.operator = undefined;
  await (to === "stopped" ? operator.stop() : operator.kill());
  world.updates.push(...operator.updates);
}

/** An update lasts longer than a controller needs to see it, also after another one was killed. */
function waitForEnd({ stage: { api } }: ChurnWorld): Promise<void> {
  return eventually(async () => assert.equal(await readObject(api, REQUEST), undefined, "an update ends the request"));
}

/** A new pod, since one that runs is bound and has its image. */
async function setRunnerMode({ stage: { api, nodes } }: ChurnWorld, mode: RunnerMode): Promise<void> {
  nodes.setMode({ kind: mode });
  await send(api, { method: "DELETE", path: PODS });
}

async function replaceController(world: ChurnWorld, replica: 0 | 1): Promise<void> {
  const controller = world.controllers[replica];
  controller?.kill("SIGKILL");
  await controller?.result;
  world.controllers[replica] = world.startController(replica);
}

/** The object may be gone or be changed by now. */
async function send(api: ApiClient, write: ApiWrite): Promise<void> {
  const answer = await api.write(write, AbortSignal.timeout(60_000));
  assert.notEqual(answer.kind, "refused", JSON.stringify([write.path, answer]));
}
