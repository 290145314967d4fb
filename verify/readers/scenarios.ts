import type { JsonObject } from "../../src/model/json.ts";
import type { Random } from "../schema/random/random.ts";
import { drawDocument } from "./documents.ts";
import { drawLists } from "./lists.ts";
import { at, drawSome, NAMES, OTHER, TARGET } from "./words.ts";

const FIELDS = ["acceptRisks", "conditionalUpdateRisks", "riskNames", "riskConditions"];
const COMPLETED = { state: "Completed", version: "5.0.3" };

/** A case of the kit without what is expected: a ClusterVersion, and up to four steps. */
export function drawScenario(random: Random): JsonObject {
  const { below, chance, pick } = random;
  const steps = Array.from({ length: 1 + below(4) }, (_, i) => drawStep(random, i));
  return {
    fields: drawSome(random, FIELDS, 0.6),
    target: TARGET,
    ...(chance(0.5) ? { requestedAt: at(pick([8, 10, 11]), pick([0, 52])) } : {}),
    clusterVersion: drawClusterVersion(random),
    steps,
  };
}

function drawClusterVersion(random: Random): JsonObject {
  const { chance, pick } = random;
  const accepted = drawSome(random, [...NAMES, "PreflightA", "PreflightB", "C"], 0.25).map((name) => ({ name }));
  const history = pick([[COMPLETED], [COMPLETED], [COMPLETED], [{ state: "Partial", version: TARGET }, COMPLETED], []]);
  const retrieved = { type: "RetrievedUpdates", status: pick(["True", "True", "False"]), reason: "Asked", message: "" };
  return {
    metadata: { name: "version", generation: 3 },
    spec: chance(0.5) ? { desiredUpdate: { acceptRisks: accepted } } : {},
    status: {
      desired: { version: "5.0.3" },
      ...(chance(0.9) ? { observedGeneration: pick([3, 3, 3, 2]) } : {}),
      history,
      ...drawLists(random),
      ...(chance(0.8) ? { conditions: [{ ...retrieved, lastTransitionTime: at(1) }] } : {}),
    },
  };
}

function drawStep(random: Random, index: number): JsonObject {
  const { chance } = random;
  // Now and then a clock is put back.
  const minute = chance(0.05) ? 0 : index;
  return {
    now: at(12, minute),
    ...(index > 0 && chance(0.3) ? { lists: drawLists(random) } : {}),
    ...(chance(0.12) ? { isRequested: false } : {}),
    ...(chance(0.1) ? { target: OTHER } : {}),
    ...drawFile(random, index),
  };
}

function drawFile(random: Random, index: number): JsonObject {
  const { chance } = random;
  if (chance(0.85)) return { document: drawDocument(random, index) };
  if (chance(0.3)) return { isUnreadable: true };
  return chance(0.3) ? { text: "{" } : {};
}
