import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { describe, test } from "node:test";
import { type JsonObject, objectAt, objectsAt } from "../../src/model/json.ts";
import { nightly } from "../support/cases/sample.ts";
import { getExpected, KIT_FOLDER, readKitCases, readKitDocuments } from "../../verify/kit/kit-files.ts";
import { KIT_READERS } from "../../verify/kit/readers.ts";

const CASES = readKitCases("cases");
const DOCUMENTS = readKitDocuments();

for (const reader of KIT_READERS)
  describe(`the reader in ${reader.name}`, { skip: reader.skip }, () => {
    test("makes of every case what the kit expects", () => {
      const { cases } = reader.run(
        CASES.map(({ scenario }) => scenario),
        [],
      );
      for (const [i, { file, scenario }] of CASES.entries()) assert.deepEqual(cases[i], getExpected(scenario), file);
    });

    test("accepts and refuses the documents that the kit says", () => {
      const texts = DOCUMENTS.map(({ text }) => text);
      const { documents } = reader.run([], texts);
      const wrong = DOCUMENTS.filter(({ isValid }, i) => isValid !== isDeepStrictEqual(documents[i], []));
      assert.deepEqual(
        wrong.map(({ rule }) => rule),
        [],
      );
    });

    test("makes something else of every step if its file or the cluster is altered", () => {
      const altered = CASES.flatMap(alterSteps);
      const { cases } = reader.run(
        altered.map(({ scenario }) => scenario),
        [],
      );
      const isNoticed = ({ scenario }: AlteredCase, i: number): boolean =>
        !isDeepStrictEqual(cases[i], getExpected(scenario));
      const noticed = new Set(altered.filter(isNoticed).map(({ step }) => step));
      assert.deepEqual(
        [...new Set(altered.map(({ step }) => step))].filter((step) => !noticed.has(step)),
        [],
      );
    });
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
