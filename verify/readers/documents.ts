import { isObject, type Json, type JsonObject } from "../../src/model/json.ts";
import type { Random } from "../schema/random/random.ts";
import { ALWAYS, at, drawSome, image, OTHER, TARGET } from "./words.ts";

/** A document, mostly one that is valid and answers the request. `minute`: of the step that reads it. */
export function drawDocument(random: Random, minute: number): JsonObject {
  const { below, chance, pick } = random;
  const target = pick([TARGET, TARGET, TARGET, TARGET, OTHER]);
  const status = pick(["completed", "completed", "completed", "completed", "running", "failed"]);
  const isCompleted = status === "completed";
  const risks = drawRisks(random, target);
  const isPartial = JSON.stringify(risks).includes("PreflightPartial");
  const observed = {
    observedAt: at(11, Math.max(0, 50 + minute - below(4))),
    ...(chance(0.9) ? { validUntil: at(12, pick([10, 30, 1, 59])) } : {}),
  };
  return {
    format: "preflight-v1-json",
    preflightID: `${at(pick([9, 11]))}-preflight-${target}`,
    ...(chance(0.95) ? { targetVersion: target } : {}),
    executionStatus: status,
    risks: isCompleted || chance(0.5) ? risks : [],
    ...(chance(0.85) ? { sourceVersion: pick(["5.0.3", "5.0.3", "5.0.3", "5.0.2"]) } : {}),
    ...(chance(0.4) ? { targetImage: image(pick(["4", "4", "4", "9", "c"])) } : {}),
    ...(isCompleted ? { complete: chance(0.8) && !isPartial, checks: [listCheck(risks)] } : {}),
    ...(isCompleted || chance(0.5) ? observed : {}),
    ...(status === "failed" ? { failure: { reason: "ClusterUnreachable", message: "No answer." } } : {}),
  };
}

function listCheck(risks: readonly JsonObject[]): JsonObject {
  return { id: "sample", outcome: risks.length > 0 ? "risk" : "clear" };
}

function drawRisks(random: Random, targetVersion: string): readonly JsonObject[] {
  const { below, chance, pick } = random;
  const names = drawSome(random, ["A", "B", "C", "Calm", "OlmShopX", "SiteX", "Theirs"], 0.35);
  const further = chance(0.1) ? ["PreflightFurtherRisks"] : [];
  return [...names, ...further].map((name) => {
    const reason = pick(["PreflightValidation", "PreflightPartial"]);
    const applies = {
      type: "Applies",
      status: "True",
      reason,
      message: "Found.",
      lastTransitionTime: at(1 + below(3)),
    };
    return {
      name,
      message: `${pick(["", "", "5.0.3 -> 5.2.0: ", "Preflight=5.1.0: "])}${name} ${pick(["hurts.", "is wrong here."])}`,
      url: `https://example.com/${name}`,
      ...(chance(0.8) ? { targetVersion, matchingRules: ALWAYS, conditions: [applies] } : {}),
    };
  });
}

const VALUES: readonly [Json, ...Json[]] = [
  null,
  true,
  false,
  0,
  -1,
  1.5,
  "",
  "x",
  "Z9",
  "😀",
  "a\nb",
  "\u0000",
  "\uD800",
  TARGET,
  "5.2.0-rc.1",
  "2026-02-30T11:00:00Z",
  "2026-03-01T11:00:60Z",
  "2026-03-01T24:00:00Z",
  "9999-12-31T23:59:59Z",
  "https://x",
  "https://[::1",
  "https://x:99999",
  "http://x",
  "https://",
  "https://a b",
  "https:///x",
  "https://x:port/",
  "completed",
  "running",
  "failed",
  "True",
  "risk",
  "clear",
  "unknown",
  "PreflightFurtherRisks",
  [],
  {},
  [null],
  { toString: 1 },
];
const KEYS = ["targetVersion", "sourceVersion", "complete", "checks", "failure", "observedAt", "validUntil", "extra"];

/** The document with one thing in it changed, wherever it is. */
export function editDocument(random: Random, document: JsonObject): JsonObject {
  const edited = editValue(random, document);
  return isObject(edited) ? edited : document;
}

function editValue(random: Random, value: Json): Json {
  const { below, chance, pick } = random;
  if (Array.isArray(value) && value.length > 0) {
    const i = below(value.length);
    const item: Json = value[i] ?? null;
    if (chance(0.2)) return value.toSpliced(i, 1);
    return chance(0.1) ? value.toSpliced(i, 0, item) : value.with(i, editValue(random, item));
  }
  if (isObject(value) && Object.keys(value).length > 0) {
    const key = chance(0.1) ? pick(["extra", ...KEYS]) : (random.oneOf(Object.keys(value)) ?? "extra");
    const { [key]: present = null, ...rest } = value;
    return chance(0.15) ? rest : { ...value, [key]: editValue(random, present) };
  }
  return typeof value === "string" && chance(0.4) ? editText(random, value) : pick(VALUES);
}

function editText({ below, pick }: Random, text: string): string {
  const at = below(text.length + 1);
  return text.slice(0, at) + pick(["", "x", "0", "\n", " ", "Z"]) + text.slice(at + below(2));
}
