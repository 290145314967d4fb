import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { openMustGather } from "../../src/cluster/must-gather/must-gather.ts";
import { createRecordedReader } from "../../src/cluster/recorded/recorded-reader.ts";
import { parseDocuments, toYaml } from "../../src/encoding/yaml.ts";
import { FailedError } from "../../src/model/errors.ts";
import { isObject, type JsonObject, listAt, objectAt, textAt } from "../../src/model/json.ts";
import type { CycleResult } from "../../src/model/report.ts";
import { AGED_FAULTS } from "../../verify/reliability/answer-faults.ts";
import { LIST_FAULTS, OBJECT_FAULTS } from "../../verify/reliability/faults.ts";
import { LIST_EDITS } from "../../verify/reliability/list-edits.ts";
import { createTemporaryFolder } from "../../verify/shared/temporary-folder.ts";
import { hasAllCases, sampleEach } from "../support/cases/sample.ts";
import { checkDemo, listHidden, readDemo, reportDemo } from "../support/demo.ts";
import { openFaultyCluster } from "../support/faulty-cluster.ts";
import { combineStrikes, describeStrikes, drawPairs, listStrikes } from "../support/strikes.ts";
import { buildRecordedSource } from "../support/must-gather/sources.ts";
import { writeMustGather } from "../support/must-gather/writer.ts";

/** PREFLIGHT_CASES=all strikes every answer with every fault, instead of each with some, more pairs, and edits every list, instead of each fifth. */
const SINGLES_STEP = 12;
const PAIRS = hasAllCases ? 300 : 8;
const SEED = 42;
const NEVER = new AbortController().signal;
const folder = createTemporaryFolder();

test("an answer that is cut, repeated, renamed, emptied or aged, or two, makes no check of the demo better than it is", async (t) => {
  const demo = readDemo();
  const cluster = await openFaultyCluster(t, demo);
  const whole = await reportDemo(cluster.reader);
  // An empty list has nothing to lose, and what is absent nothing to change.
  const lists = [...cluster.lists].filter((path) => listAt(demo, path, "items").length > 0);
  const others = [...cluster.paths].filter((path) => path === "/apis" || textAt(demo, path, "kind") !== undefined);
  assert.ok(whole.risks.length > 3 && lists.length > 5 && others.length > 5);
  const singles = [
    ...listStrikes(lists, [...LIST_FAULTS, ...AGED_FAULTS]),
    ...listStrikes(others, [...OBJECT_FAULTS, ...AGED_FAULTS]),
  ];
  const all = [...sampleEach(singles, SINGLES_STEP).map((one) => [one]), ...drawPairs(singles, PAIRS, SEED)];
  const hidden: string[] = [];
  let unknown = 0;
  for (const strikes of all) {
    cluster.strike(combineStrikes(strikes), (path) => strikes.some((one) => one.path === path));
    const result = await checkDemo(cluster.reader);
    unknown += hasIncomplete(result) ? 1 : 0;
    hidden.push(...listHidden(whole, result).map((one) => `${describeStrikes(strikes)}: ${one}`));
  }
  t.diagnostic(
    `${all.length} runs over ${lists.length} lists and ${others.length} others, of which ${unknown} name a list that is not whole`,
  );
  assert.deepEqual(hidden, []);
  assert.ok(unknown > all.length / 8);
});

function hasIncomplete(result: CycleResult): boolean {
  return result.kind === "completed" && /with a list that is not whole/.test(JSON.stringify(result.report.checks));
}

describe("an edited recording of the demo", () => {
  const demo = readDemo();
  const lists = Object.keys(demo).filter((path) => Object.hasOwn(objectAt(demo, path), "items"));

  for (const [i, { name, edit }] of LIST_EDITS.entries())
    test(`is no better with ${name}`, async () => {
      const whole = await reportDemo(await openRecording(demo));
      const hidden: string[] = [];
      for (const path of sampleFrom(lists, i)) {
        const edited = edit(objectAt(demo, path));
        if (edited === undefined) continue;
        const result = await checkDemo(await openRecording({ ...demo, [path]: edited }));
        hidden.push(...listHidden(whole, result).map((one) => `${path}: ${one}`));
      }
      assert.deepEqual(hidden, []);
    });
});

async function openRecording(cluster: JsonObject): ReturnType<typeof createRecordedReader> {
  const file = join(folder, "cluster.json");
  writeFileSync(file, JSON.stringify(cluster));
  return createRecordedReader(file);
}

describe("an edited archive of the demo", () => {
  const root = mkdtempSync(join(folder, "archive-"));
  const source = buildRecordedSource(readDemo());
  const written = writeMustGather(source, root, {
    startedAt: new Date(-60_000),
    endedAt: new Date(0),
    namespaces: source.namespaces,
  });

  const cuts = [0.3, 0.6, 0.9].map((share) => ({
    name: `${share * 100} % of a list file`,
    editText: (text: string): string | undefined => text.slice(0, Math.floor(text.length * share)),
  }));
  const edits = LIST_EDITS.map(({ name, edit }) => ({
    name,
    editText: (text: string): string | undefined => {
      const edited = edit(parseList(text));
      return edited && toYaml(edited);
    },
  }));
  const all = [...edits, ...cuts, { name: "an empty list file", editText: () => "" }];
  for (const [i, { name, editText }] of all.entries())
    test(`is no better with ${name}`, async (t) => {
      await written;
      const files = readdirSync(root, { recursive: true, encoding: "utf8" }).filter((path) =>
        isListFile(join(root, path)),
      );
      assert.ok(files.length > 5);
      const whole = await checkArchive();
      assert.ok(whole?.kind === "completed" && whole.report.checks.some(({ outcome }) => outcome.kind === "risk"));
      const hidden: string[] = [];
      let incomplete = 0;
      for (const path of sampleFrom(files, i)) {
        const text = readFileSync(join(root, path), "utf8");
        const edited = editText(text);
        if (edited === undefined) continue;
        writeFileSync(join(root, path), edited);
        const result = await checkArchive().finally(() => writeFileSync(join(root, path), text));
        if (result === undefined) continue;
        incomplete += hasIncomplete(result) ? 1 : 0;
        hidden.push(...listHidden(whole.report, result).map((one) => `${path}: ${one}`));
      }
      t.diagnostic(`${files.length} files, ${incomplete} results name a list that is not whole`);
      assert.deepEqual(hidden, []);
    });

  /** Undefined if the archive is refused, as it is if it does not show of which cluster it is. */
  async function checkArchive(): Promise<CycleResult | undefined> {
    const archive = await openMustGather(root, NEVER).catch((thrown: unknown) => {
      if (thrown instanceof FailedError) return undefined;
      throw thrown;
    });
    if (archive === undefined) return undefined;
    try {
      return await checkDemo(archive.reader);
    } finally {
      await archive.close();
    }
  }
});

/** Others for each edit. */
function sampleFrom(paths: readonly string[], first: number): readonly string[] {
  return sampleEach(hasAllCases ? paths : paths.slice(first % 5), 5);
}

function isListFile(path: string): boolean {
  return path.endsWith(".yaml") && Array.isArray(parseList(readFileSync(path, "utf8"))["items"]);
}

function parseList(text: string): JsonObject {
  const parsed = parseDocuments(text);
  const [document] = parsed.kind === "invalid" ? [] : parsed.documents;
  return isObject(document) ? document : {};
}
