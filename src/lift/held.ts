import type { DocumentRisk, PreflightDocument } from "../model/document.ts";
import { type JsonObject, at, isObject, listAt, textAt, parseObject } from "../model/json.ts";
import { conditionIn } from "../model/conditions.ts";
import { timeText } from "./condition.ts";
import { APPLIES } from "./exposure.ts";
import { type Offers, nameOf, risksOf } from "./offers.ts";
import { type TextForm, type Versions, marked, originOf } from "./origin.ts";

/** The last completed result for one source and target: what stands until another completed document replaces it. */
export type Held = Versions & {
  /** The target's pull spec, where it is known. */
  readonly image?: string;
  /** RFC 3339; absent where only ClusterVersion remembers. */
  readonly observedAt?: string;
  /** As ClusterVersion holds them: marked with the versions, with their Applies conditions. */
  readonly risks: readonly JsonObject[];
  /** The update's Recommended condition as it was proposed, for its time: an operator that rewrites its status knows none of it. */
  readonly recommended?: JsonObject;
};

/** What stands for these versions: the kept result, or where that was lost, what ClusterVersion still says. */
export function heldFor(
  versions: Versions,
  image: string | undefined,
  kept: Held | undefined,
  offers: Offers,
): Held | undefined {
  const isKept = kept?.source === versions.source && kept.target === versions.target;
  if (isKept) return differ(kept.image, image) ? undefined : kept;
  const risks = offers.conditional.flatMap(risksOf).filter((risk) => isOf(versions, risk));
  const byName = new Map(risks.toReversed().map((risk) => [nameOf(risk), risk]));
  return risks.length === 0 ? undefined : { ...versions, risks: [...byName.values()].toReversed() };
}

function differ(a: string | undefined, b: string | undefined): boolean {
  return a !== undefined && b !== undefined && a !== b;
}

/** What a document's result is marked with, and the one before it. */
export type Holding = {
  readonly versions: Versions;
  readonly image: string | undefined;
  readonly form: TextForm;
  readonly before: Held | undefined;
  readonly now: Date;
};

/** A completed document's result, in the place of the one before; since when a risk has applied is kept. */
export function heldOf(document: PreflightDocument, { versions, image, form, before, now }: Holding): Held {
  const { observedAt } = document;
  const times = new Map((before?.risks ?? []).map((risk) => [nameOf(risk), appliesSince(risk)]));
  const risks = document.risks.map((risk) =>
    riskOf(risk, marked(risk.message, versions, form), times.get(risk.name), now),
  );
  const recommended = before?.recommended;
  return {
    ...versions,
    ...(image === undefined ? {} : { image }),
    ...(observedAt === undefined ? {} : { observedAt }),
    risks,
    ...(recommended ? { recommended } : {}),
  };
}

function riskOf(
  { name, url, conditions }: DocumentRisk,
  message: string,
  since: string | undefined,
  now: Date,
): JsonObject {
  const [told] = conditions ?? [];
  const wanted = told ?? { type: APPLIES, status: "True", reason: "Match", message: "" };
  const lastTransitionTime = since ?? told?.lastTransitionTime ?? timeText(now);
  return { name, message, url, matchingRules: [{ type: "Always" }], conditions: [{ ...wanted, lastTransitionTime }] };
}

function appliesSince(risk: JsonObject): string | undefined {
  const condition = conditionIn(risk, APPLIES);
  return textAt(condition, "status") === "True" ? textAt(condition, "lastTransitionTime") : undefined;
}

function isOf({ source, target }: Versions, risk: JsonObject): boolean {
  const origin = originOf(risk);
  return origin !== undefined && origin.target === target && (origin.source ?? source) === source;
}

/** Reads a kept result back, or nothing where the text is none. */
export function parseHeld(text: string): Held | undefined {
  const value = parseObject(text);
  const [source, target] = [textAt(value, "source"), textAt(value, "target")];
  if (source === undefined || target === undefined) return undefined;
  const [image, observedAt] = [textAt(value, "image"), textAt(value, "observedAt")];
  const recommended = at(value, "recommended");
  return {
    source,
    target,
    ...(image === undefined ? {} : { image }),
    ...(observedAt === undefined ? {} : { observedAt }),
    risks: listAt(value, "risks").filter(isObject),
    ...(isObject(recommended) ? { recommended } : {}),
  };
}
