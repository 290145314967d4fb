import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import type { CheckCase } from "../../src/cases/case-files.ts";
import { parseCase } from "../../src/cases/parser.ts";
import { judgeCase, openCase } from "../../src/cases/runner.ts";
import { checks } from "../../src/checks/index.ts";
import { getReads } from "../../src/cli/checks/cluster-role.ts";
import { createRecordedReader } from "../../src/cluster/recorded/recorded-reader.ts";
import { type Recording, createRecordingReader, writeRecording } from "../../src/cluster/recorded/recording.ts";
import { parseDocuments } from "../../src/encoding/yaml.ts";
import { loadChecks } from "../../src/data-checks/load.ts";
import type { Check } from "../../src/model/check.ts";
import { type Json, type JsonObject, listAt, objectAt, textAt } from "../../src/model/json.ts";
import type { Outcome } from "../../src/model/report.ts";
import { createTemporaryFolder } from "../../verify/shared/temporary-folder.ts";
import { sampleEach } from "../support/cases/sample.ts";
import { writeCheck } from "../support/data-checks/judge-check.ts";
import { judgeArchive } from "../support/must-gather/judge-archive.ts";

/** What is asked of an object, which is true of it. */
type Question = {
  readonly name: string;
  readonly list: string;
  readonly object: JsonObject;
  readonly when: string;
  readonly shown: string;
};

/** Whether a recording shows it that is made for the check, and one that is not. */
const SHOWN: Readonly<Record<string, readonly [boolean, boolean]>> = {
  always: [true, true],
  forCheck: [true, false],
  never: [false, false],
};

/** Kinds without namespaces. */
const OF_CLUSTER = new Set(["MachineConfig", "PersistentVolume", "StorageClass"]);

function readQuestion(one: Json): Question {
  const [name = "", list = "", when = "", shown = ""] = ["name", "list", "when", "shown"].map((key) =>
    textAt(one, key),
  );
  const { metadata, ...fields } = objectAt(one, "object");
  const isOfCluster = OF_CLUSTER.has(textAt(fields, "kind") ?? "");
  const apiVersion = list.slice(0, list.lastIndexOf("/"));
  return {
    name,
    list,
    when,
    shown,
    object: {
      ...fields,
      apiVersion,
      metadata: { name: "shop", ...(!isOfCluster && { namespace: "demo" }), ...objectAt(metadata) },
    },
  };
}

const TABLE = parseDocuments(readFileSync(join(import.meta.dirname, "record-forms.yaml"), "utf8"));
const QUESTIONS = (TABLE.kind === "documents" ? listAt(TABLE.documents[0]) : []).map(readQuestion);

/** The check that finds it, and the one that finds what is not so. */
async function loadPair({ name, list, when }: Question): Promise<readonly Check[]> {
  const texts = [when, `!(${when})`].map((condition, i) => {
    const risk = {
      name: "Fault",
      title: "There is a fault",
      url: "https://example.com/fault",
      effect: "broken",
      message: "${objects} has a fault.",
      remediation: "Mend it.",
      findings: [{ forEach: "all.items", when: condition, message: "It has one." }],
    };
    const text = writeCheck(`reads: {all: {list: ${list}}}\nrisks: [${JSON.stringify(risk)}]`);
    return {
      name: `${i}.yaml`,
      text: text
        .replace("name: sample", `name: ${i === 0 ? "is" : "not"}-${name}`)
        .replaceAll('"Fault"', `"Fault${i}"`),
    };
  });
  const { checks: loaded, faults } = await loadChecks(texts, { kind: "site" }, new Set());
  assert.deepEqual(
    faults.filter(({ severity }) => severity === "error").map(({ message }) => message),
    [],
    name,
  );
  return loaded;
}

function buildCase({ list, object }: Question, check: Check): CheckCase {
  const text = parseCase("source: 4.18.5\ntarget: 4.19.2\n");
  const path = list.startsWith("v1/") ? `/api/${list}` : `/apis/${list}`;
  return {
    name: check.id,
    file: `${check.id}.yaml`,
    check,
    ...text,
    cluster: { ...text.cluster, [path]: { items: [object] } },
  };
}

const OWN_READS = checks.flatMap(getReads);

/** What becomes of the check on a recording that is made for preflight's own checks and `known`. */
async function judgeRecording(one: CheckCase, known: readonly Check[], forget: boolean): Promise<Outcome> {
  const { reader } = await openCase(one);
  const recording: Recording = new Map();
  const reads = [...OWN_READS, ...known.flatMap(getReads)];
  await judgeCase(
    one,
    createRecordingReader(reader, recording, () => reads),
    [],
  );
  const folder = createTemporaryFolder();
  await writeRecording(recording, folder);
  const file = join(folder, "cluster.json");
  if (forget) writeFileSync(file, readFileSync(file, "utf8").replace(/^"\/kept-fields": .*?\]\s\},\n/ms, ""));
  return (await judgeCase(one, await createRecordedReader(folder), [])).outcome;
}

/** The outcome in each form of what was gathered. */
async function judgeForms(one: CheckCase): Promise<Readonly<Record<string, Outcome>>> {
  return {
    recorded: await judgeRecording(one, [one.check], false),
    "recorded without the check": await judgeRecording(one, [], false),
    "recorded by an earlier version": await judgeRecording(one, [], true),
    "in a must-gather": await judgeArchive(one, true),
  };
}

test("asks for values of each kind", () => {
  const shown = QUESTIONS.map((question) => question.shown);
  for (const kind of Object.keys(SHOWN)) assert.ok(shown.filter((one) => one === kind).length >= 5, kind);
});

/** Of each kind, in the table's order. */
const SAMPLE = Object.keys(SHOWN).flatMap((kind) =>
  sampleEach(
    QUESTIONS.filter(({ shown }) => shown === kind),
    3,
  ),
);

for (const question of SAMPLE)
  test(`what was gathered never contradicts the cluster: ${question.name}`, async () => {
    const pair = await loadPair(question);
    for (const [i, check] of pair.entries()) {
      const one = buildCase(question, check);
      const { outcome: live } = await judgeCase(one, (await openCase(one)).reader, []);
      assert.equal(live.kind, i === 0 ? "risk" : "clear", JSON.stringify(live));
      const forms = await judgeForms(one);
      for (const [form, { kind }] of Object.entries(forms))
        assert.ok(kind === "unknown" || kind === live.kind, `${kind} instead of ${live.kind}: ${form}`);
      const { recorded, "recorded without the check": other } = forms;
      const isShown = [recorded, other].map((outcome) => outcome?.kind !== "unknown");
      assert.deepEqual(isShown, SHOWN[question.shown], JSON.stringify(recorded));
      if (other?.kind === "unknown")
        assert.deepEqual([...new Set(other.unknowns.map(({ reason }) => reason))], ["NotRecorded"]);
    }
  });
