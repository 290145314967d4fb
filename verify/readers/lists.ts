import { formatRiskText } from "../../src/model/cluster-version-risks.ts";
import { type JsonObject, objectsAt, textAt } from "../../src/model/json.ts";
import { parsePublishedRisk } from "../../src/model/route.ts";
import type { Random } from "../schema/random/random.ts";
import { ALWAYS, at, drawSome, image, NAMES } from "./words.ts";

const RELEASES = [
  ["5.2.0", "4"],
  ["5.1.9", "c"],
  ["5.1.8", "d"],
  ["5.2.0-rc.1", "e"],
  ["nightly", "1"],
].map(([version = "", digit = ""]) => ({ version, image: image(digit), url: `https://example.com/${version}` }));
const TARGET_AGAIN = { version: "5.2.0", image: image("9"), url: "https://example.com/again" };
const NOT_PINNED = { ...TARGET_AGAIN, image: "registry.example/release:5.2.0" };
const QUERY = [{ type: "PromQL", promql: { promql: "vector(1)" } }];
const UNKNOWN = "It is unknown whether Calm applies. Calm hurts. https://example.com/Calm";

/** What the operator and others may have made of the lists. */
export function drawLists(random: Random): JsonObject {
  const { chance } = random;
  const conditional = drawSome(random, RELEASES, 0.4).map((release) => drawUpdate(random, release));
  const isConditional = (release: JsonObject): boolean => conditional.some((update) => update["release"] === release);
  const available: readonly JsonObject[] = [
    ...RELEASES.filter((release) => chance(isConditional(release) ? 0.2 : 0.6)),
    ...(chance(0.08) ? [TARGET_AGAIN] : []),
    ...(chance(0.05) ? [NOT_PINNED] : []),
  ];
  return {
    availableUpdates: available.length > 0 ? available : null,
    ...(conditional.length > 0 ? { conditionalUpdates: conditional } : {}),
    ...(chance(0.4) ? { conditionalUpdateRisks: drawListed(random, conditional) } : {}),
  };
}

function drawUpdate(random: Random, release: JsonObject): JsonObject {
  const { chance } = random;
  const drawn = drawSome(random, NAMES, 0.4);
  const names = drawn.length > 0 ? drawn : ["Calm"];
  const risks = names.map((name) => drawRisk(random, name));
  const conditions = [...(chance(0.2) ? [drawCondition(random, "Other")] : []), drawRecommended(random, risks)];
  return {
    release,
    ...(chance(0.5) ? { riskNames: names } : {}),
    risks,
    ...(chance(0.9) ? { conditions } : {}),
  };
}

/** Mostly the same risks as those of the updates. */
function drawListed(random: Random, conditional: readonly JsonObject[]): readonly JsonObject[] {
  const { chance } = random;
  const attached = conditional.flatMap((update) => objectsAt(update, "risks"));
  return drawSome(random, NAMES, 0.5).map((name) => {
    const same = attached.find((risk) => risk["name"] === name);
    if (same === undefined || chance(0.3)) return drawRisk(random, name);
    return { ...same, ...(chance(0.5) ? { conditions: [drawCondition(random, "Applies")] } : {}) };
  });
}

function drawRisk(random: Random, name: string): JsonObject {
  const { chance, pick } = random;
  const mark = pick([
    "",
    "5.0.3 -> 5.2.0: ",
    "5.0.3 -> 5.1.9: ",
    "Preflight=5.2.0: ",
    "Preflight of 5.0.3 -> 5.2.0: ",
    "5.0.2 -> 5.2.0: ",
  ]);
  const others = chance(0.2) ? [drawCondition(random, "Other")] : [];
  return {
    name,
    message: `${mark}${name} ${pick(["hurts.", "is bad."])}`,
    url: `https://example.com/${name}`,
    matchingRules: pick([ALWAYS, ALWAYS, QUERY, QUERY, [...ALWAYS, ...QUERY], [...QUERY, ...ALWAYS]]),
    ...(chance(0.4) ? { conditions: [drawCondition(random, "Applies"), ...others] } : {}),
  };
}

function drawCondition({ below, pick }: Random, type: string): JsonObject {
  return {
    type,
    status: pick(["True", "False", "Unknown"]),
    reason: pick(["Match", "NotMatch", "EvaluationFailed", "PreflightPartial"]),
    message: pick(["", "Said.", UNKNOWN]),
    lastTransitionTime: at(1 + below(3)),
  };
}

function drawRecommended(random: Random, risks: readonly JsonObject[]): JsonObject {
  const { below, oneOf, pick } = random;
  const reasons = ["MultipleReasons", "EvaluationFailed", ...risks.map((risk) => textAt(risk, "name") ?? "")];
  return {
    type: "Recommended",
    status: pick(["True", "False", "False", "Unknown", "Odd"]),
    reason: oneOf(reasons) ?? "",
    message: drawSome(random, risks, 0.7)
      .map((risk) => drawText(random, risk))
      .join("\n\n"),
    lastTransitionTime: at(1 + below(3)),
  };
}

/** What an operator, a controller or nobody would say of a risk. */
function drawText({ pick }: Random, risk: JsonObject): string {
  const { name, url } = parsePublishedRisk(risk);
  const text = formatRiskText(parsePublishedRisk(risk));
  return pick([
    text,
    text,
    `It is unknown whether ${name} applies. ${text}`,
    `Could not evaluate exposure to update risk ${name} (no data)\n  ${name} description: x\n  ${name} URL: ${url}`,
    `Exposure to ${name} is unknown due to an evaluation failure: y\n${text}`,
    "Other text.",
    "And 2 more of the preflight: see risks.",
    "5.0.3 -> 5.2.0: Q. https://example.com/Q",
  ]);
}
