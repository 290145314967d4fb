import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Api } from "../../src/controller/api.ts";
import { decide } from "../../src/controller/decide.ts";
import { perform } from "../../src/controller/perform.ts";
import { CLUSTER_VERSION, OPERATOR, OPERATOR_LEASE_PATH, REQUEST } from "../../src/controller/places.ts";
import type { DocumentState } from "../../src/lift/runner-state.ts";
import { type JsonObject, listAt, objectAt } from "../../src/model/json.ts";
import { clusterVersion, conditional, documentOf, foreign, NOW, release, risk } from "../lift/sample.ts";
import { clusterVersionIn, type MemoryApi } from "./memory-api.ts";
import { lookOnce, QUIET, requestFor, type Scene, seenIn, SETTINGS, settle, storeWith } from "./play.ts";

const FOUND: DocumentState = { kind: "read", document: documentOf([risk("A"), risk("B")]) };
const BROKEN: DocumentState = { kind: "invalid", problems: ["document: is empty"] };
const LATER = new Date(NOW.getTime() + 3_600_000);
const WRITING = { writeStatus: true } as const;
const PASSING = { useMode: true } as const;

/** A cluster at rest, what happens then, and how it is looked at from then on. */
type Story = {
  readonly rest: Scene;
  readonly happens: (api: MemoryApi) => void;
  readonly after: Scene;
  readonly serving?: boolean;
  readonly isUnasked?: boolean;
};

const STORIES: Readonly<Record<string, Story>> = {
  "a request": { rest: {}, happens: askedNow, after: {}, isUnasked: true },
  "a document": { rest: {}, happens: asked, after: { document: FOUND } },
  "a document, written into the status": {
    rest: { settings: WRITING },
    happens: asked,
    after: { document: FOUND, settings: WRITING },
  },
  "another target": { rest: { document: FOUND }, happens: askedForAnother, after: { document: FOUND } },
  "another target, written into the status": {
    rest: { document: FOUND, settings: WRITING },
    happens: askedForAnother,
    after: { document: FOUND, settings: WRITING },
  },
  "a request that can't be understood": {
    rest: { document: FOUND },
    happens: (api) => api.objects.set(REQUEST, requestFor({ to: "?" })),
    after: {},
  },
  "a cancelled request": { rest: { document: FOUND }, happens: cancelled, after: { document: FOUND } },
  "a cancelled request, written into the status": {
    rest: { document: FOUND, settings: WRITING },
    happens: cancelled,
    after: { document: FOUND, settings: WRITING },
  },
  "an update": { rest: { document: FOUND }, happens: updating, after: { document: FOUND } },
  "an hour of failure": { rest: { document: BROKEN }, happens: () => {}, after: { document: BROKEN, now: LATER } },
  "a request passed on": {
    rest: { settings: PASSING },
    happens: askedNow,
    after: { settings: PASSING },
    serving: true,
    isUnasked: true,
  },
  "another target of a request that was passed on": {
    rest: { settings: PASSING },
    happens: askedForAnother,
    after: { settings: PASSING },
    serving: true,
  },
  "a cancelled request that was passed on": {
    rest: { settings: PASSING },
    happens: cancelled,
    after: { settings: PASSING },
    serving: true,
  },
};

describe("whatever happens, and wherever the controller is killed", () => {
  for (const [what, story] of Object.entries(STORIES)) {
    test(`${what} ends the same`, async () => {
      const expected = await end(story, async () => {});
      const steps = (await lookOnce(await begin(story), story.after)).length;
      assert.ok(steps > 0);
      for (let most = 0; most <= steps; most += 1) {
        assert.deepEqual(
          await end(story, async (api) => void (await lookOnce(api, story.after, most))),
          expected,
          `${most}`,
        );
      }
    });

    test(`${what} ends the same with a conflict at any write, and where a second controller acts on an old look`, async () => {
      const expected = await end(story, async () => {});
      for (let nth = 0; nth < 5; nth += 1)
        assert.deepEqual(await end(story, (api) => lookWithConflict(api, story.after, nth)), expected, `${nth}`);
      assert.deepEqual(await end(story, (api) => actedLate(api, story)), expected);
    });
  }

  test("what a controller starts that leads no more and has not seen the end is taken away", async () => {
    const api = storeWith(requestFor({ to: "5.2.0" }));
    const late = decide(await seenIn(api), SETTINGS, NOW);
    await settle(api);
    cancelled(api);
    await settle(api);
    await perform(late, api, QUIET, new AbortController().signal);
    assert.ok((await settle(api)).length > 0);
    assert.deepEqual([...api.objects.keys()], [CLUSTER_VERSION]);
    assert.deepEqual(listAt(clusterVersionIn(api), "status", "conditions"), []);
  });

  test("no other source's risk, condition or key is lost on the way", async () => {
    const others = [
      { type: "Available", status: "True", reason: "Done", message: "", lastTransitionTime: "2026-01-01T00:00:00Z" },
    ];
    const before = clusterVersion({
      conditions: others,
      union: [foreign("Theirs")],
      conditional: [conditional("5.1.0", [foreign("Theirs")], { status: "False", reason: "Theirs", message: "x" })],
    });
    for (const settings of [{}, WRITING]) {
      const api = storeWith(requestFor({ to: "5.2.0" }), before);
      await settle(api, { document: FOUND, settings });
      cancelled(api);
      await settle(api, { settings });
      assert.deepEqual(clusterVersionIn(api)["status"], before["status"]);
    }
  });
});

async function begin({ rest, happens, serving = false, isUnasked = false }: Story): Promise<MemoryApi> {
  const cluster = clusterVersion({ available: [release("5.2.0"), release("5.1.9")], accepted: ["A"] });
  const operator = serving
    ? {
        [OPERATOR_LEASE_PATH]: {
          spec: { holderIdentity: "operator", leaseDurationSeconds: 137, renewTime: NOW.toISOString() },
        },
        [OPERATOR]: { metadata: { annotations: { "preflight.openshift.io/formats": "preflight-v1-json" } } },
      }
    : {};
  const api = storeWith(isUnasked ? undefined : requestFor({ to: "5.2.0" }), cluster, operator);
  await settle(api, rest);
  happens(api);
  return api;
}

/** What is left when all is at rest, without what differs by the way: versions and ids of objects. */
async function end(story: Story, interrupted: (api: MemoryApi) => Promise<void>): Promise<JsonObject> {
  const api = await begin(story);
  await interrupted(api);
  await settle(api, story.after);
  const objects = [...api.objects].toSorted(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(objects.map(([path, object]) => [path, { ...object, metadata: {} }]));
}

async function lookWithConflict(api: MemoryApi, scene: Scene, nth: number): Promise<void> {
  let writes = 0;
  const write: Api["write"] = async (change, signal) => {
    writes += 1;
    return writes === nth + 1 ? { kind: "conflict", message: "too late" } : api.write(change, signal);
  };
  await lookOnce({ ...api, write }, scene);
}

/** Decides before it happens what it writes when all is done. */
async function actedLate(api: MemoryApi, { after }: Story): Promise<void> {
  const old = decide(await seenIn(api, after), { ...SETTINGS, ...after.settings }, after.now ?? NOW);
  await settle(api, after);
  await perform(old, api, QUIET, new AbortController().signal);
}

function asked(): void {}

function askedNow(api: MemoryApi): void {
  api.objects.set(REQUEST, requestFor({ to: "5.2.0" }));
}

function askedForAnother(api: MemoryApi): void {
  api.objects.set(REQUEST, requestFor({ to: "5.1.9" }));
}

function cancelled(api: MemoryApi): void {
  api.objects.delete(REQUEST);
}

function updating(api: MemoryApi): void {
  const cluster = clusterVersionIn(api);
  const status = objectAt(cluster, "status");
  const history = [{ ...objectAt(listAt(status, "history")[0]), state: "Partial", completionTime: null }];
  api.objects.set(CLUSTER_VERSION, { ...cluster, status: { ...status, history } });
}
