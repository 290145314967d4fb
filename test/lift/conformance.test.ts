import assert from "node:assert/strict";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { dump, load } from "js-yaml";
import { parseDocument } from "../../src/format/document/document-parser.ts";
import { NO_GATED_FIELDS } from "../../src/lift/objects/gated-fields.ts";
import { lift, type LiftResult } from "../../src/lift/lift.ts";
import type { DocumentState } from "../../src/lift/progress/runner-state.ts";
import type { RetainedResult } from "../../src/lift/progress/retained-result.ts";
import {
  at,
  flagAt,
  isObject,
  type Json,
  type JsonObject,
  listAt,
  objectAt,
  textAt,
  textsAt,
} from "../../src/model/json.ts";

const FOLDER = join(import.meta.dirname, "..", "..", "conformance", "cases");
/** UPDATE=1 writes this reader's output as the expectation for every reader. */
const isUpdate = process.env["UPDATE"] === "1";
const LISTS = ["availableUpdates", "conditionalUpdates", "conditionalUpdateRisks"] as const;

for (const file of readdirSync(FOLDER).filter((name) => name.endsWith(".yaml"))) {
  const path = join(FOLDER, file);
  const text = readFileSync(path, "utf8");
  const scenario = parseCase(text);
  test(`conformance: ${textAt(scenario, "title") ?? file}`, async () => {
    const outcomes = await playCase(scenario);
    const steps = listAt(scenario, "steps").filter(isObject);
    if (isUpdate) {
      const updated = steps.map((step, i) => ({ ...step, expected: outcomes[i] ?? null }));
      writeFileSync(path, formatCase({ ...scenario, steps: updated }));
      return;
    }
    assert.deepEqual(
      outcomes,
      steps.map((step) => at(step, "expected")),
    );
  });
}

test("conformance: the page lists every case with its rule", () => {
  const page = readFileSync(join(FOLDER, "..", "README.md"), "utf8");
  for (const file of readdirSync(FOLDER)) {
    const rule = textAt(parseCase(readFileSync(join(FOLDER, file), "utf8")), "rule") ?? "";
    assert.ok(page.includes(`(cases/${file}) | ${rule} |`), file);
  }
});

function parseCase(text: string): JsonObject {
  const value: unknown = JSON.parse(JSON.stringify(load(text)));
  return isObject(value) ? value : {};
}

function formatCase(scenario: JsonObject): string {
  return dump(scenario, { lineWidth: -1, noRefs: true, flowLevel: flagAt(scenario, "isCompact") === true ? 5 : 8 });
}

/** What the reader publishes after each step; each step starts from the status of the one before. */
async function playCase(scenario: JsonObject): Promise<readonly JsonObject[]> {
  const fields = {
    ...NO_GATED_FIELDS,
    ...Object.fromEntries(textsAt(scenario, "fields").map((field) => [field, true])),
  };
  let clusterVersion = objectAt(scenario, "clusterVersion");
  let retained: RetainedResult | undefined;
  const outcomes: JsonObject[] = [];
  for (const step of listAt(scenario, "steps").filter(isObject)) {
    const now = new Date(textAt(step, "now") ?? "");
    const requestedAt = textAt(scenario, "requestedAt");
    const preflight = {
      target: { kind: "version", version: textAt(step, "target") ?? textAt(scenario, "target") ?? "" } as const,
      runner: { kind: "up", since: new Date(now.getTime() - 3_600_000) } as const,
      document: await readDocument(at(step, "document")),
      ...(requestedAt === undefined ? {} : { requestedAt: new Date(requestedAt) }),
    };
    const isRequested = flagAt(step, "isRequested") !== false;
    const result = lift({
      clusterVersion,
      fields,
      now,
      ...(isRequested ? { preflight } : {}),
      ...(retained ? { retained } : {}),
    });
    outcomes.push(summarize(result));
    clusterVersion = { ...clusterVersion, status: result.status };
    ({ retained } = result);
  }
  return outcomes;
}

async function readDocument(document: Json | undefined): Promise<DocumentState> {
  if (document === undefined) return { kind: "missing" };
  const parsed = await parseDocument(JSON.stringify(document));
  return parsed.kind === "valid" ? { kind: "read", document: parsed.document } : parsed;
}

/** The complete lists, and the fields of each condition that a program may depend on. */
function summarize({ status, conditions }: LiftResult): JsonObject {
  const lists = Object.fromEntries(
    LISTS.flatMap((key) => (key in status ? [[key, status[key] ?? null] as const] : [])),
  );
  return {
    ...lists,
    conditions: conditions.map(({ type, status: state, reason, lastTransitionTime }) => ({
      type,
      status: state,
      reason,
      lastTransitionTime,
    })),
  };
}
