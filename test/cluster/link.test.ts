import assert from "node:assert/strict";
import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { createLink, type Link, systemLinkClock } from "../../src/cluster/access/link.ts";
import { eventually } from "../../verify/shared/eventually.ts";
import { listenUntilEnd } from "../support/cluster/mock-server.ts";

type TimedLink = {
  readonly link: Link;
  readonly answer: (...milliseconds: readonly number[]) => void;
  /** `idle`: the part of the time in which the process had nothing to do. */
  readonly pass: (milliseconds: number, idle?: number) => void;
  readonly receive: (bytes: number, milliseconds: number, idle?: number) => void;
};

/** A link whose time passes by hand. */
function createTimedLink(): TimedLink {
  let now = 1_000;
  let idleMs = 500;
  const startTimer = (milliseconds: number): (() => boolean) => {
    const end = idleMs + milliseconds;
    return () => idleMs >= end;
  };
  const link = createLink({ now: () => now, getIdleMs: () => idleMs, startTimer });
  const pass = (milliseconds: number, idle = milliseconds): void => {
    now += milliseconds;
    idleMs += idle;
  };
  return {
    link,
    pass,
    answer(...all) {
      for (const milliseconds of all) {
        const { onSent, onAnswered } = link.beginRequest();
        onSent();
        pass(milliseconds);
        onAnswered();
      }
    },
    receive(bytes, ...time) {
      const body = link.beginBody();
      body.onBytes(bytes);
      pass(...time);
      body.end();
    },
  };
}

const MB = 1_000_000;

test("a link is slow if the API server is far, by the soonest of its answers", () => {
  const { link, answer, pass } = createTimedLink();
  assert.equal(link.isSlow(), false, "nothing is known");
  answer(90);
  const { onSent, onAnswered } = link.beginRequest();
  onSent();
  pass(50, 0);
  onAnswered();
  assert.equal(link.isSlow(), false, "one answer may be late by chance, and this process worked while the other came");
  const connecting = link.beginRequest();
  pass(50);
  connecting.onSent();
  pass(10);
  connecting.onAnswered();
  assert.equal(link.isSlow(), false, "making a connection tells nothing");
  answer(80);
  assert.equal(link.isSlow(), true);
  answer(19);
  answer(400);
  assert.equal(link.isSlow(), false, "it is near");
});

test("a link to a far API server is fast if a body came as fast as API servers encode", () => {
  const { link, answer, receive } = createTimedLink();
  answer(50, 50, 50);
  receive(4 * MB, 500, 0);
  assert.equal(link.isSlow(), true, "8 MB/s at least");
  receive(4 * MB, 100);
  receive(4 * MB, 4_000);
  assert.equal(link.isSlow(), false, "40 MB/s once");
});

test("a link to an API server nearby is slow if no body can have come as fast as the slowest server encodes", () => {
  const { link, answer, receive } = createTimedLink();
  answer(2, 2, 2);
  receive(100_000, 1_000);
  assert.equal(link.isSlow(), false, "small bodies tell nothing");
  receive(MB, 2_000);
  assert.equal(link.isSlow(), true, "0.5 MB/s");
  receive(MB, 2_000, 500);
  assert.equal(link.isSlow(), false, "2 MB/s while this process waited");
});

test("bodies that come at once share the rate of the link", () => {
  const { link, answer, pass } = createTimedLink();
  answer(2, 2, 2);
  const bodies = Array.from({ length: 8 }, () => link.beginBody());
  for (const body of bodies) body.onBytes(MB);
  pass(4_000);
  for (const body of bodies) body.end();
  assert.equal(link.isSlow(), false, "2 MB/s together, 0.25 each");
});

test("no answer is compressed any more after one that was damaged", () => {
  const { link, answer } = createTimedLink();
  answer(50, 50, 50);
  link.onDamaged();
  answer(50, 50, 50);
  assert.equal(link.isSlow(), false);
});

function work(milliseconds: number): void {
  const end = performance.now() + milliseconds;
  while (performance.now() < end);
}

test("an answer is late if it was not there when this process looked, however long it has worked before", async (t) => {
  const server = createServer();
  const { port } = await listenUntilEnd(t, server);
  const client = connect(port, "127.0.0.1");
  t.after(() => client.destroy());
  const [socket]: readonly Socket[] = await once(server, "connection");
  assert.ok(socket !== undefined);
  const isLate = systemLinkClock.startTimer(20);
  const answered = once(client, "data").then(isLate);
  socket.write("here");
  work(60);
  assert.equal(await answered, false, "it came while this process worked");
  const isLater = systemLinkClock.startTimer(20);
  await sleep(60);
  await new Promise(setImmediate);
  assert.equal(isLater(), true);
});

test("only what this process waits for is idle time", async () => {
  const start = systemLinkClock.getIdleMs();
  work(30);
  assert.equal(systemLinkClock.getIdleMs(), start);
  // On a busy machine, a timer may be due before the process begins to wait for it.
  await eventually(async () => assert.ok(systemLinkClock.getIdleMs() > start));
});
