import assert from "node:assert/strict";
import { selectPreflightConditions } from "../../src/lift/progress/preflight-conditions.ts";
import { findCondition } from "../../src/model/object.ts";
import { listAt, textAt } from "../../src/model/json.ts";
import type { Play } from "./steps.ts";
import { isCurrent, isSeenAbsent, type UpdateService } from "./update-service.ts";
import type { Observed } from "./world.ts";

/** What is said of the update, and where. `reason`: of a condition. */
type Saying = { readonly type: string; readonly reason: string; readonly message: string };

/** Holds what is seen against what is so. */
export function judgeObserved(play: Play, before: Observed, observed: Observed): void {
  const { service } = play;
  assert.deepEqual(listImages(observed, service), listViewedImages(service), "the stand-in's own lists");
  judgeRunner(play, before, observed);
  judgeReasons(service, observed);
  for (const saying of listSayings(observed)) judgeSaying(play, saying, observed);
}

/** A runner goes only if the operator has seen that the update is not offered. */
function judgeRunner({ service, isFresh }: Play, { runner: before }: Observed, { runner }: Observed): void {
  if (before === undefined || runner?.image === before.image) return;
  if (runner === undefined) return assert.ok(isSeenAbsent(service), "the runner was removed without evidence");
  assert.ok(isFresh, "another image was taken for the same request");
}

/** What has to be said: that the update is offered, that it is not, or that nobody knows. */
function judgeReasons(service: UpdateService, observed: Observed): void {
  const { runner } = observed;
  const images = listImages(observed, service);
  const reasons = listReasons(observed);
  const isAbsent = reasons.includes("TargetNotOffered");
  const isDoubtful = reasons.includes("UpdatesNotRetrieved");
  const what = `${images.length} images are listed, ${runner ? "a" : "no"} runner runs: ${reasons.join()}`;
  if (images.length > 0) {
    assert.ok(runner !== undefined && !isAbsent && !isDoubtful, what);
    assert.equal(reasons.includes("TargetImageChanged"), !images.includes(runner.image), what);
    return;
  }
  if (isSeenAbsent(service)) return assert.ok(isAbsent && runner === undefined, what);
  assert.ok(isDoubtful || (isAbsent && runner === undefined), what);
}

function judgeSaying({ service, world, currentAt }: Play, { type, reason, message }: Saying, observed: Observed): void {
  const { runner, clusterVersion } = observed;
  const images = listImages(observed, service);
  const what = `${type} ${reason}: ${message}`;
  if (message.includes("does not offer") || reason === "TargetNotOffered") {
    assert.deepEqual(images, [], what);
    assert.equal(textAt(findCondition(clusterVersion, "RetrievedUpdates"), "status"), "True", what);
    assert.ok(service.isObserved && message.includes(`Its channel is ${service.channel}.`), what);
  }
  if (message.includes("Whether") || reason === "UpdatesNotRetrieved") {
    assert.ok(images.length === 0 && !isSeenAbsent(service) && type !== "PreflightFailed", what);
    const since = Date.parse(/has been unknown since (\S+Z):/.exec(message)?.[1] ?? world.now().toISOString());
    assert.ok(since >= Math.floor(currentAt / 1_000) * 1_000 && since <= world.now().getTime(), what);
  }
  const kept = /goes on with (?:the image that was offered before: )?(\S+?)[.,](?: |$)/.exec(message)?.[1];
  if (kept !== undefined) assert.equal(runner?.image, kept, what);
  if (message.includes("now offers")) assert.ok(images.length > 0 && !images.includes(runner?.image ?? ""), what);
  judgeCause(service, message, what);
  if (type === "PreflightRunning" && reason === "Starting") assert.ok(runner !== undefined, what);
  if (message.includes("The runner was deployed at")) assert.ok(runner !== undefined, what);
  if (message.includes("The runner is not deployed")) assert.equal(runner, undefined, what);
}

/** Why nobody knows. */
function judgeCause({ view, isObserved, channel }: UpdateService, message: string, what: string): void {
  if (message.includes("latest spec")) assert.equal(isObserved, false, what);
  if (message.includes("no condition RetrievedUpdates")) assert.equal(view.state, "silent", what);
  if (message.includes("could not retrieve"))
    assert.ok(
      typeof view.state === "object" && message.includes(`RetrievedUpdates=False, ${view.state.reason}: `),
      what,
    );
  if (message.includes("channel changed")) assert.ok(view.isPending && message.includes(`to "${channel}"`), what);
}

function listSayings(observed: Observed): readonly Saying[] {
  const conditions = selectPreflightConditions(observed.clusterVersion).map((one) => ({
    type: textAt(one, "type") ?? "",
    reason: textAt(one, "reason") ?? "",
    message: textAt(one, "message") ?? "",
  }));
  const lines = observed.status.split("\n").map((message) => ({ type: "status", reason: "", message }));
  return [...conditions, ...lines];
}

export function listReasons({ clusterVersion }: Observed): readonly string[] {
  return selectPreflightConditions(clusterVersion).map((one) => textAt(one, "reason") ?? "");
}

function listImages({ clusterVersion }: Observed, { target }: UpdateService): readonly string[] {
  return listAt(clusterVersion, "status", "availableUpdates")
    .filter((one) => textAt(one, "version") === target.version)
    .map((one) => textAt(one, "image") ?? "");
}

function listViewedImages({ view, target }: UpdateService): readonly string[] {
  return view.releases.filter((one) => one["version"] === target.version).map((one) => textAt(one, "image") ?? "");
}

/** All that a write may follow from: of a failure what the service did, whatever port it was asked from. */
export function formatState(service: UpdateService, observed: Observed): string {
  const { channel, isObserved, view } = service;
  const state = typeof view.state === "object" ? view.state.message.split(", asked from")[0] : view.state;
  const { runner, hasResult } = observed;
  const seen = [isObserved, isCurrent(service), state, view.isPending ?? false, listViewedImages(service)];
  return JSON.stringify([channel, ...seen, runner, hasResult]);
}
