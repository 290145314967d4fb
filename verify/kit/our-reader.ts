import { parseDocument } from "../../src/format/document/document-parser.ts";
import { NO_GATED_FIELDS } from "../../src/lift/objects/gated-fields.ts";
import { lift, type LiftResult } from "../../src/lift/lift.ts";
import type { DocumentState } from "../../src/lift/progress/runner-state.ts";
import type { RetainedResult } from "../../src/lift/progress/retained-result.ts";
import { at, flagAt, isObject, type JsonObject, listAt, objectAt, textAt, textsAt } from "../../src/model/json.ts";

const LISTS = ["availableUpdates", "conditionalUpdates", "conditionalUpdateRisks"] as const;

/** What our reader publishes after each step; each step starts from the status of the one before. */
export async function playCase(scenario: JsonObject, parse = parseDocument): Promise<readonly JsonObject[]> {
  const fields = {
    ...NO_GATED_FIELDS,
    ...Object.fromEntries(textsAt(scenario, "fields").map((field) => [field, true])),
  };
  let clusterVersion = objectAt(scenario, "clusterVersion");
  let retained: RetainedResult | undefined;
  const outcomes: JsonObject[] = [];
  for (const step of listAt(scenario, "steps").filter(isObject)) {
    clusterVersion = { ...clusterVersion, status: withLists(objectAt(clusterVersion, "status"), step) };
    const now = new Date(textAt(step, "now") ?? "");
    const requestedAt = textAt(scenario, "requestedAt");
    const preflight = {
      target: { kind: "version", version: textAt(step, "target") ?? textAt(scenario, "target") ?? "" } as const,
      runner: { kind: "up", since: new Date(now.getTime() - 3_600_000) } as const,
      document: await readDocument(step, parse),
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

function withLists(status: JsonObject, step: JsonObject): JsonObject {
  if (!("lists" in step)) return status;
  const others = Object.entries(status).filter(([key]) => !LISTS.some((list) => list === key));
  return { ...Object.fromEntries(others), ...objectAt(step, "lists") };
}

async function readDocument(step: JsonObject, parse: typeof parseDocument): Promise<DocumentState> {
  if (flagAt(step, "isUnreadable") === true) return { kind: "unreadable", message: "input/output error" };
  const document = at(step, "document");
  if (document === undefined && textAt(step, "text") === undefined) return { kind: "missing" };
  const parsed = await parse(textAt(step, "text") ?? JSON.stringify(document));
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
