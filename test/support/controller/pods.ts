import assert from "node:assert/strict";
import { EVENTS, RUNNER } from "../../../src/controller/api/api-paths.ts";
import { type JsonObject, objectAt, textAt } from "../../../src/model/json.ts";
import * as stage from "./stage.ts";

type Pods = {
  readonly status: (desired: JsonObject) => Promise<void>;
  readonly event: (reason: string, message: string) => Promise<void>;
  readonly remove: () => Promise<void>;
};

/** Simulates the pod status that a kubelet reports for the Deployment. */
export function createPods(set: stage.Stage): Pods {
  const namespace = ["-n", "openshift-cluster-version"];
  const apply = async (object: JsonObject, ...more: readonly string[]): Promise<JsonObject> =>
    JSON.parse(await set.cluster.kubectl([...more, ...namespace, "-o", "json", "-f", "-"], JSON.stringify(object)));
  let pod: JsonObject | undefined;
  const remove = async (): Promise<void> =>
    void (await set.cluster.kubectl([
      "delete",
      "pod",
      "runner-1",
      ...namespace,
      "--force",
      "--grace-period=0",
      "--ignore-not-found",
    ]));
  const status = async (desired: JsonObject): Promise<void> => {
    await remove();
    const template = objectAt((await stage.readObject(set.api, RUNNER)) ?? {}, "spec", "template");
    const spec = { containers: [{ name: "preflight", image: "example.com/preflight" }] };
    const labels = objectAt(template, "metadata", "labels");
    const metadata = { name: "runner-1", namespace: "openshift-cluster-version", labels };
    const created = await apply({ apiVersion: "v1", kind: "Pod", metadata, spec }, "create");
    pod = await apply({ ...created, status: desired }, "replace", "--subresource=status");
  };
  const event = async (reason: string, message: string): Promise<void> => {
    const uid = textAt(pod, "metadata", "uid") ?? "";
    const involvedObject = { kind: "Pod", name: "runner-1", namespace: "openshift-cluster-version", uid };
    const metadata = { name: "runner-1.1", namespace: "openshift-cluster-version" };
    const body = { apiVersion: "v1", kind: "Event", metadata, involvedObject, reason, message, type: "Warning" };
    const answer = await set.api.write({ method: "POST", path: EVENTS, body }, AbortSignal.timeout(5_000));
    assert.equal(answer.kind, "ok", JSON.stringify(answer));
  };
  return { status, event, remove };
}
