import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { RUNNER, RUNNER_NAME } from "../../../src/controller/api/api-paths.ts";
import { setCondition } from "../../../src/lift/objects/condition.ts";
import { NAMESPACE } from "../../../src/lift/objects/preflight-request.ts";
import { type JsonObject, listAt, objectAt, parseObject } from "../../../src/model/json.ts";
import { formatTime } from "../../../src/model/time.ts";
import { applyStep, isRequestable } from "./inputs.ts";
import { CAUSE_OBJECTS } from "./objects.ts";
import type { RunnerMode, Step } from "./schedule.ts";
import type { ChurnWorld } from "./world.ts";

/** The checks that the schedule's causes are for. */
const CHECKS = "cluster-operators,cluster-version,conditional-updates,drain-blocked,overrides";

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
    case "update":
      return world.operator?.sync();
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
      return void (await write(world, "DELETE"));
    case "editDeployment":
      return void (await write(world, "PATCH", { spec: { replicas: 0 } }));
    case "wait":
      return void (await sleep(step.ms));
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

async function setCause({ stage: { cluster } }: ChurnWorld, cause: string, isPresent: boolean): Promise<void> {
  if (cause === "budget") {
    const verb = isPresent ? ["create"] : ["delete", "--wait"];
    await cluster.kubectl([...verb, "-f", "-"], JSON.stringify(CAUSE_OBJECTS.budget));
  }
  if (cause !== "operator") return;
  const [status, reason, message] = isPresent
    ? (["False", "VSphere", "The volumes are too old."] as const)
    : (["True", "AsExpected", ""] as const);
  const operator = parseObject(await cluster.kubectl(["get", "clusteroperator", "storage", "-o", "json"])) ?? {};
  const condition = { type: "Upgradeable", status, reason, message, lastTransitionTime: formatTime(new Date()) };
  const conditions = setCondition(listAt(operator, "status", "conditions"), condition);
  const text = JSON.stringify({ ...operator, status: { ...objectAt(operator, "status"), conditions } });
  await cluster.kubectl(["replace", "--subresource=status", "-f", "-"], text);
}

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

/** A new pod, since one that runs is bound and has its image. */
async function setRunnerMode({ stage: { cluster, nodes } }: ChurnWorld, mode: RunnerMode): Promise<void> {
  nodes.setMode({ kind: mode });
  const selector = ["-n", NAMESPACE, "-l", `app=${RUNNER_NAME}`];
  await cluster.kubectl(["delete", "pods", "--wait=false", ...selector]);
}

async function replaceController(world: ChurnWorld, replica: 0 | 1): Promise<void> {
  const controller = world.controllers[replica];
  controller?.kill("SIGKILL");
  await controller?.result;
  world.controllers[replica] = world.startController();
}

async function write({ stage: { api } }: ChurnWorld, method: "DELETE" | "PATCH", body?: JsonObject): Promise<void> {
  const content = body ? { body, type: "application/merge-patch+json" } : {};
  await api.write({ method, path: RUNNER, ...content }, AbortSignal.timeout(10_000));
}
