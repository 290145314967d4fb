import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import type { ApiClient } from "../../../src/cluster/writer/api-client.ts";
import { CLUSTER_VERSION, HISTORY, RESULT, RUNNER } from "../../../src/controller/api/api-paths.ts";
import { selectPreflightConditions } from "../../../src/lift/progress/preflight-conditions.ts";
import { runInformer, selectByName } from "../../../src/controller/api/cached-client.ts";
import { formatCanonicalJson, type JsonObject, objectAt } from "../../../src/model/json.ts";
import type { AuditLine } from "../../../verify/api-server/audit-lines.ts";
import type { ControlPlane } from "../../../verify/api-server/control-plane.ts";

const ACCOUNT = "system:serviceaccount:openshift-cluster-version:preflight-controller";

/** The requests of the controllers, without those by which a test waited for their rights. */
export async function listRequests({ audit }: ControlPlane): Promise<readonly AuditLine[]> {
  return (await audit()).filter(({ user, agent }) => user === ACCOUNT && agent !== "waiting");
}

/** Those that the controllers had no right to. */
export async function listRefused(cluster: ControlPlane): Promise<readonly AuditLine[]> {
  return (await listRequests(cluster)).filter(({ code }) => code === 403);
}

/** The controllers' requests since a moment, by what they are for. */
export type RequestCounts = {
  readonly reads: readonly string[];
  /** Each successful write, as "patch /api/...". */
  readonly writes: readonly string[];
  readonly conflicts: number;
  readonly renewals: number;
};

export function countRequests(lines: readonly AuditLine[]): RequestCounts {
  const isLease = ({ uri }: AuditLine): boolean => /\/leases(\/preflight-controller)?($|\?)/.test(uri);
  const isRead = ({ verb }: AuditLine): boolean => verb === "get" || verb === "list";
  const writes = lines.filter((line) => !isRead(line) && line.verb !== "watch" && !isLease(line));
  return {
    reads: lines.filter(isRead).map(format),
    writes: writes.filter(({ code }) => code < 300).map(format),
    conflicts: writes.filter(({ code }) => code === 409).length,
    renewals: lines.filter((line) => line.verb === "update" && isLease(line)).length,
  };
}

function format({ verb, uri }: AuditLine): string {
  return `${verb} ${uri.replace(/\?.*/, "")}`;
}

/** Counts the changes to whatever the controller writes. */
export type ChangeCounter = { readonly count: () => number; readonly stop: () => Promise<void> };

/** What of an object is the controller's; other fields, and other writers, don't count. */
const OWN_PARTS: Readonly<Record<string, (object: JsonObject) => JsonObject>> = {
  [RESULT]: ({ data = {} }) => ({ data }),
  [HISTORY]: ({ data = {} }) => ({ data }),
  [RUNNER]: ({ spec = {} }) => ({ spec }),
  [CLUSTER_VERSION]: (object) => ({
    conditions: selectPreflightConditions(object),
  }),
};

export async function startChangeCounter(api: ApiClient): Promise<ChangeCounter> {
  const stopping = new AbortController();
  const states = new Map<string, string>();
  let changes = 0;
  const follow = (path: string, select: (object: JsonObject) => JsonObject): Promise<void> => {
    const at = path.lastIndexOf("/");
    const watched = { collection: path.slice(0, at), query: selectByName(path.slice(at + 1)) };
    const onFailure = ({ message }: { readonly message: string }): void => assert.fail(message);
    const pause = async (ms: number, signal: AbortSignal): Promise<void> =>
      sleep(ms, undefined, { signal }).catch(() => undefined);
    return runInformer(
      watched,
      ({ objects: [object] }) => {
        const state = object === undefined ? "" : formatCanonicalJson(select(objectAt(object)));
        if (states.has(path) && states.get(path) !== state) changes += 1;
        states.set(path, state);
      },
      { api, sleep: pause, onFailure },
      stopping.signal,
    );
  };
  const following = Promise.all(Object.entries(OWN_PARTS).map(([path, select]) => follow(path, select)));
  while (states.size < Object.keys(OWN_PARTS).length) await sleep(50);
  return {
    count: () => changes,
    stop: async () => {
      stopping.abort();
      await following;
    },
  };
}
