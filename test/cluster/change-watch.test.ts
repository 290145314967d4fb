import assert from "node:assert/strict";
import { test } from "node:test";
import type { ChangeWatch, ReadPlace, WatchPlace, WatchResult } from "../../src/cluster/live/change-watch.ts";
import { createChangeWatch, createHalvesWatch, noteReads } from "../../src/cluster/live/change-watch.ts";
import type { WatchEvent } from "../../src/cluster/access/watch-events.ts";
import type { Reader } from "../../src/model/reader.ts";

const PODS: ReadPlace = { collection: "/api/v1/pods", version: "7" };
const VERSION: ReadPlace = {
  collection: "/apis/config.openshift.io/v1/clusterversions",
  name: "version",
  version: "5",
};

type Open = {
  readonly place: ReadPlace;
  readonly end: (result: WatchResult) => void;
  readonly send: (kind: WatchEvent["kind"], version: string) => void;
};

/** A watch whose places are opened, changed and ended by hand; the time stands still unless a test moves it. */
function startWatch() {
  const opened: Open[] = [];
  let time = 0;
  const watch: WatchPlace = (place, onEvent) =>
    new Promise((resolve) => {
      const send: Open["send"] = (kind, version) =>
        onEvent({ kind, object: { metadata: { name: "x", resourceVersion: version } } });
      opened.push({ place, end: resolve, send });
    });
  const input = { watch, sleep: async () => {}, now: () => time, signal: new AbortController().signal };
  return { opened, changes: createChangeWatch(input), pass: (ms: number) => (time += ms) };
}

async function settle(): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
}

async function hasChanged(changes: ChangeWatch): Promise<boolean> {
  return Promise.race([changes.changed().then(() => true), settle().then(() => false)]);
}

function takeLast<T>(list: readonly T[]): T {
  return list.at(-1) ?? assert.fail("nothing was opened");
}

test("a change of what was read is seen once, and a bookmark is none", async () => {
  const { opened, changes } = startWatch();
  changes.follow([PODS]);
  takeLast(opened).send("bookmark", "9");
  assert.equal(await hasChanged(changes), false);
  takeLast(opened).send("deleted", "10");
  assert.equal(await hasChanged(changes), true);
  changes.clear();
  assert.equal(await hasChanged(changes), false);
  changes.follow([{ ...PODS, version: "11" }]);
  assert.equal(opened.length, 1);
});

test("the state with which the watch of an object begins is a change if it is another than was read", async () => {
  const { opened, changes } = startWatch();
  changes.follow([VERSION]);
  takeLast(opened).send("modified", "5");
  assert.equal(await hasChanged(changes), false);
  takeLast(opened).send("bookmark", "8");
  takeLast(opened).send("modified", "6");
  assert.equal(await hasChanged(changes), true);
});

test("an object of a list that was read has no watch of its own", () => {
  const { opened, changes } = startWatch();
  changes.follow([{ collection: PODS.collection, name: "a", version: "3" }, PODS]);
  assert.deepEqual(
    opened.map(({ place }) => place),
    [PODS],
  );
});

test("a watch that ended as it does goes on where it was", async () => {
  const { opened, changes, pass } = startWatch();
  changes.follow([PODS]);
  takeLast(opened).send("modified", "12");
  changes.clear();
  pass(290_000);
  takeLast(opened).end({ kind: "closed" });
  await settle();
  assert.deepEqual([opened.length, takeLast(opened).place.version], [2, "12"]);
  assert.equal(await hasChanged(changes), false);
});

const FORBIDDEN: WatchResult = { kind: "failed", reason: "Forbidden", message: "no" };
const UNREACHABLE: WatchResult = { kind: "failed", reason: "Unreachable", message: "no" };

for (const [name, end, expected] of [
  [
    "whose state is too old counts as a change, and begins again",
    { kind: "expired" },
    { isChange: true, again: 2, unwatched: 0 },
  ],
  ["that is not allowed is not tried again", FORBIDDEN, { isChange: false, again: 1, unwatched: 1 }],
  [
    "that ends at once, as behind a proxy, is not tried again",
    { kind: "closed" },
    { isChange: false, again: 1, unwatched: 1 },
  ],
  ["that is lost is tried again after the next look", UNREACHABLE, { isChange: false, again: 2, unwatched: 0 }],
] as const)
  test(`a watch ${name}`, async () => {
    const { opened, changes } = startWatch();
    changes.follow([PODS]);
    takeLast(opened).end(end);
    await settle();
    const isChange = await hasChanged(changes);
    changes.follow([PODS]);
    assert.deepEqual({ isChange, again: opened.length, unwatched: changes.count().unwatched }, expected);
  });

test("what was read is noted with its version, but for Secrets and what was not found", async () => {
  const reader: Reader = {
    get: async ({ name }) =>
      name === "gone"
        ? { kind: "absent", what: "object" }
        : { kind: "found", object: { metadata: { resourceVersion: "5" } }, bytes: 2 },
    list: async () => ({ kind: "listed", objects: 0, bytes: 2, version: "7" }),
    raw: () => assert.fail("nothing else is read"),
  };
  const places: ReadPlace[] = [];
  const noted = noteReads(reader, (place) => places.push(place)).forCycle?.() ?? assert.fail();
  const { signal } = new AbortController();
  const resource = { group: "config.openshift.io", version: "v1", resource: "clusterversions" };
  await noted.get({ resource, name: "version" }, signal);
  await noted.get({ resource, name: "gone" }, signal);
  for (const plural of ["pods", "secrets"])
    await noted.list({ group: "", version: "v1", resource: plural }, () => () => {}, signal, "metadata");
  assert.deepEqual(places, [VERSION, PODS]);
});

test("what is read of a management cluster is watched there, and what is made of its objects is not watched", async () => {
  const listed = { kind: "listed", objects: 0, bytes: 2, version: "7" } as const;
  const derived = { kind: "found", object: { metadata: { resourceVersion: "5" } }, bytes: 2, isDerived: true } as const;
  const half: Reader = { get: async () => derived, list: async () => listed, raw: () => assert.fail("is not read") };
  const places: ReadPlace[] = [];
  const noted = noteReads({ ...half, management: half }, (place) => places.push(place));
  const { signal } = new AbortController();
  const pods = { group: "", version: "v1", resource: "pods" };
  for (const reader of [noted, noted.management ?? assert.fail()]) {
    await reader.list(pods, () => () => {}, signal, "metadata");
    await reader.get({ resource: pods, name: "derived" }, signal);
  }
  assert.deepEqual(places, [PODS, { ...PODS, half: "management" }]);
  const opened: string[] = [];
  const open =
    (name: string): WatchPlace =>
    async ({ collection }) => {
      opened.push(`${name} ${collection}`);
      return FORBIDDEN;
    };
  const sleep = async (): Promise<void> => {};
  const watch = createHalvesWatch(open("management"), open("guest"));
  const changes = createChangeWatch({ watch, sleep, now: () => 0, signal });
  changes.follow(places);
  await settle();
  assert.deepEqual(opened, ["guest /api/v1/pods", "management /api/v1/pods"]);
});
