import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { describe, test } from "node:test";
import { type JsonObject, objectAt, objectsAt } from "../../src/model/json.ts";
import { nightly } from "../support/cases/sample.ts";
import index from "../../conformance/index.json" with { type: "json" };
import { getExpected, KIT_FOLDER, listKit, readKitCases, readKitDocuments } from "../../verify/kit/kit-files.ts";
import { KIT_READERS } from "../../verify/kit/readers.ts";
import { compareDocuments, compareScenarios } from "../../verify/readers/compare.ts";
import { createRandom } from "../../verify/schema/random/random.ts";

const CASES = readKitCases("cases");
const DOCUMENTS = readKitDocuments();
const SCENARIOS = Object.fromEntries(CASES.map(({ file, scenario }) => [file, scenario]));
const TEXTS = Object.fromEntries(DOCUMENTS.map(({ name, text }) => [name, text]));
const NOTHING = { cases: [], documents: [] };

for (const reader of KIT_READERS)
  describe(`the reader in ${reader.name}`, { skip: reader.skip }, () => {
    test("makes of the whole kit what it expects, and accepts and refuses the documents that it says", () => {
      const { cases, documents } = reader.run({ index, cases: SCENARIOS, documents: TEXTS });
      for (const { file, scenario } of CASES) assert.deepEqual(cases[file], getExpected(scenario), file);
      const wrong = DOCUMENTS.filter(({ name, isValid }) => isValid !== isDeepStrictEqual(documents[name], []));
      assert.deepEqual(
        wrong.map(({ name }) => name),
        [],
      );
    });

    test("makes of random clusters and documents what ours makes of them", async () => {
      assert.deepEqual(await compareScenarios([reader], createRandom(1), 200), []);
      assert.deepEqual(await compareDocuments([reader], createRandom(1), 500), []);
    });

    test("runs nothing of a kit that lacks a part", () => {
      const nameAll = <T>(names: readonly string[], value: T) => Object.fromEntries(names.map((name) => [name, value]));
      const namesIt = (part: string) => (thrown: unknown) => String(thrown).includes(`It lacks ${part}.`);
      const parts = [...index.cases, ...index.documents];
      for (const part of parts.filter((_, i) => nightly === false || i % 40 === 0)) {
        const cases = index.cases.filter((name) => name !== part);
        const documents = index.documents.filter((name) => name !== part);
        const kit = { index, cases: nameAll(cases, {}), documents: nameAll(documents, "") };
        assert.throws(() => reader.run(kit), namesIt(part));
      }
    });

    test("makes something else of every step if its file or the cluster is altered", () => {
      const altered = CASES.flatMap(alterSteps);
      const scenarios = Object.fromEntries(altered.map(({ scenario }, i) => [i, scenario]));
      const { cases } = reader.run({ index: NOTHING, cases: scenarios, documents: {} });
      const isNoticed = ({ scenario }: AlteredCase, i: number): boolean =>
        !isDeepStrictEqual(cases[i], getExpected(scenario));
      const noticed = new Set(altered.filter(isNoticed).map(({ step }) => step));
      assert.deepEqual(
        [...new Set(altered.map(({ step }) => step))].filter((step) => !noticed.has(step)),
        [],
      );
    });
  });

test("the index of the kit lists all of it", () => {
  assert.deepEqual(listKit(), index);
});

test(
  "the source in go has the operator's shape, and tells failures apart",
  { skip: (KIT_READERS[1]?.skip ?? false) || nightly },
  () => {
    const ran = spawnSync("go", ["test", "./..."], { cwd: join(KIT_FOLDER, "readers", "go"), encoding: "utf8" });
    assert.equal(ran.status, 0, ran.stdout + ran.stderr);
  },
);

const ADAPTER = join(KIT_FOLDER, "readers", "go", "openshift");

test(
  "the source in go gives its risks in the types of openshift/api",
  { skip: nightly || (KIT_READERS[1]?.skip ?? false) || lacksModules() },
  () => {
    const ran = spawnSync("go", ["test", "./..."], { cwd: ADAPTER, encoding: "utf8" });
    assert.equal(ran.status, 0, ran.stdout + ran.stderr);
  },
);

/** Why the adapter can't be compiled here, or false. */
function lacksModules(): string | false {
  const { status } = spawnSync("go", ["mod", "download"], { cwd: ADAPTER, timeout: 120_000 });
  return status === 0 ? false : "the modules of openshift/api can't be had";
}

/** A case with one step altered. A step of which no alteration is noticed would hold nothing. */
type AlteredCase = { readonly step: string; readonly scenario: JsonObject };

/** Each step without a file, with an empty one, and without the history by which the cluster has a version and no update. */
function alterSteps({ file, scenario }: (typeof CASES)[number]): readonly AlteredCase[] {
  const steps = objectsAt(scenario, "steps");
  const clusterVersion = objectAt(scenario, "clusterVersion");
  const status = { ...objectAt(clusterVersion, "status"), history: [], desired: {} };
  return steps.flatMap((original, i) => {
    const { document: _, text: __, isUnreadable: ___, isRequested: ____, ...step } = original;
    const name = `${file}, step ${i + 1}`;
    return [
      { step: name, scenario: { ...scenario, steps: steps.with(i, step) } },
      { step: name, scenario: { ...scenario, steps: steps.with(i, { ...step, text: "" }) } },
      {
        step: name,
        scenario: { ...scenario, clusterVersion: { ...clusterVersion, status }, steps: steps.slice(0, i + 1) },
      },
    ];
  });
}
