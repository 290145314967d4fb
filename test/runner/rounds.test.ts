import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { rememberObjects } from "../../src/cluster/access/object-cache.ts";
import { createServerLimit } from "../../src/cluster/access/transport.ts";
import { createRecordedReader } from "../../src/cluster/recorded/recorded-reader.ts";
import type { Reader } from "../../src/model/reader.ts";
import { buildResourcePath } from "../../src/model/resource.ts";
import { checkDemo } from "../support/demo.ts";

/** Holds every answer until nothing more is asked for, and then gives all at once: a round. */
function createRoundReader(reader: Reader, onAnswered: () => void) {
  const rounds: string[][] = [];
  let open: Promise<void> | undefined;
  const hold = async <T>(path: string, read: () => Promise<T>): Promise<T> => {
    open ??= new Promise((resolve) => {
      rounds.push([]);
      setImmediate(() => {
        open = undefined;
        resolve();
      });
    });
    rounds.at(-1)?.push(path);
    await open;
    onAnswered();
    return read();
  };
  const held: Reader = {
    get: (place, ...more) =>
      hold(buildResourcePath(place.resource, place.namespace, place.name), () => reader.get(place, ...more)),
    list: (resource, ...more) => hold(buildResourcePath(resource), () => reader.list(resource, ...more)),
    raw: (path, ...more) => hold(path, () => reader.raw(path, ...more)),
  };
  return { held, rounds };
}

test("all checks read the demo in six rounds, of which the first tells what to read, and everything once", async () => {
  const limit = createServerLimit();
  const reader = await createRecordedReader(join(import.meta.dirname, "..", "..", "demo"));
  const { held, rounds } = createRoundReader(reader, () => limit.onAnswered(100));
  const limits = { concurrency: 16, findServerLimit: limit.find };
  const result = await checkDemo(rememberObjects(held), limits);
  assert.equal(result.kind, "completed");
  assert.ok(rounds.length <= 6, `${rounds.length} rounds: ${JSON.stringify(rounds, undefined, 1)}`);
  assert.equal(rounds[0]?.length, 3);
  assert.ok(rounds.every((round) => round.length <= 16));
  const paths = rounds.flat();
  assert.deepEqual(paths.toSorted(), [...new Set(paths)].toSorted());
});

test("an object that checks plan to read one after the other counts once in what was seen", async () => {
  const reader = await createRecordedReader(join(import.meta.dirname, "..", "..", "demo"));
  const seen = new Set<string>();
  const get: Reader["get"] = async (place, ...more) => {
    const result = await reader.get(place, ...more);
    if (result.kind === "found") seen.add(buildResourcePath(place.resource, place.namespace, place.name));
    return result;
  };
  const list: Reader["list"] = async (resource, ...more) => {
    const result = await reader.list(resource, ...more);
    if (result.kind === "listed") objects += result.objects;
    return result;
  };
  let objects = 0;
  const result = await checkDemo({ ...reader, get, list });
  if (result.kind === "failed") assert.fail(result.failure.message);
  assert.equal(result.report.coverage.objects, objects + seen.size);
});
