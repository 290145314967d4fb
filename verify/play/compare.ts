import type { JsonObject } from "../../src/model/json.ts";
import type { Fate } from "./fault.ts";
import type { PlayedCrd } from "./played-crd.ts";
import type { Said } from "./predictions.ts";
import { EFFECTS, type ObjectEffect, type ObjectFate, UNTOUCHED } from "./truth.ts";

export type Agreement = "agreed" | "missed" | "false alarm" | "wrong effect";

/** What was said of an object in a version beside what happened to it there. */
export type ComparedObject = {
  readonly verdict: Agreement;
  readonly crd: PlayedCrd;
  readonly object: string;
  readonly version: string;
  /** The object as it was read before the update. */
  readonly body: JsonObject;
  readonly said: ObjectFate;
  readonly happened: ObjectFate;
};

const OBJECT_RISKS = ["CustomResourceInvalid", "CustomResourceFieldsFrozen"];
const DROPPED = "CustomResourceFieldsDropped";
/** Kinds of which crd-skew leaves some fields to another check, which reports them by a risk of its own. */
const JUDGED_ELSEWHERE = ["capability-enums", "cgroup-v1"];

/** What the findings say of an object in a version. */
export function selectSaid(said: readonly Said[], group: string, object: string, version: string): ObjectFate {
  const all = said.filter((one) => one.object === object && one.group === group);
  const own = all.flatMap((one) => selectOfVersion(one, version));
  const invalid = own.filter(
    ({ check, risk }) => (check === "crd-skew" && OBJECT_RISKS.includes(risk)) || JUDGED_ELSEWHERE.includes(check),
  );
  const dropped = own.filter(({ risk }) => risk === DROPPED).map(({ path }) => path ?? "");
  const effects = invalid.map(({ effect }) => EFFECTS.find((one) => one === effect) ?? "ratcheted");
  return {
    ...UNTOUCHED,
    effect: EFFECTS.findLast((effect) => effects.includes(effect)) ?? "none",
    refused: [...new Set(invalid.map(({ path }) => path ?? ""))].toSorted(),
    dropped: dropped.toSorted(),
    isScaleRefused: invalid.some(({ isScaleRefused }) => isScaleRefused === true),
  };
}

function selectOfVersion({ through, ...said }: Said, version: string): readonly Said[] {
  if (said.versions?.includes(version) ?? true) return [said];
  return through?.includes(version) ? [{ ...said, effect: "applyRefused", isScaleRefused: false }] : [];
}

/** How well the findings fit what happened. */
export function compareFates(told: ObjectFate, happened: ObjectFate): Agreement {
  const said = { ...told, dropped: told.dropped.filter((path) => !happened.nulls.includes(path)) };
  const [isSaid, isSo] = [said, happened].map(({ effect, dropped }) => effect !== "none" || dropped.length > 0);
  if (!isSaid && !isSo) return "agreed";
  if (!isSaid) return "missed";
  if (!isSo) return "false alarm";
  const isSame =
    said.effect === happened.effect &&
    said.dropped.join() === happened.dropped.join() &&
    said.isScaleRefused === happened.isScaleRefused;
  return isSame && namesSameFields(said, happened) ? "agreed" : "wrong effect";
}

/** The API server names a field in the message alone where it writes "<nil>", and none of those that only server-side apply refuses. */
function namesSameFields(said: ObjectFate, happened: ObjectFate): boolean {
  const isVague = happened.refused.includes(UNNAMED) || happened.effect === "unreadable";
  const named = happened.refused.filter((field) => field !== UNNAMED);
  const isTold = named.every((field) => said.refused.includes(field));
  const isApplied = said.effect === "applyRefused";
  return isTold && (isVague || isApplied || said.refused.every((field) => named.includes(field)));
}

const UNNAMED = "<nil>";

/** How often each effect was predicted of objects that met each. */
export function countEffects(comparisons: readonly ComparedObject[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { said, happened } of comparisons) {
    const key = buildMatrixKey(nameFate(said), nameFate(happened));
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return counts;
}

export const FATE_NAMES = [...EFFECTS, "dropped"] as const;
type FateName = ObjectEffect | "dropped";

function nameFate({ effect, dropped }: ObjectFate): FateName {
  return effect === "none" && dropped.length > 0 ? "dropped" : effect;
}

export function buildMatrixKey(said: FateName, happened: FateName): string {
  return `${said} ${happened}`;
}

/** Fates that were not told, and what was told and did not happen. */
export type FateDifference = {
  readonly missed: readonly Fate[];
  readonly alarms: readonly Said[];
  readonly hits: readonly Fate[];
};

/** `said`: what was said of what was planted. */
export function compareFaults(said: readonly Said[], fates: readonly Fate[]): FateDifference {
  const isOf = (one: Said, fate: Fate): boolean => one.risk === fate.risk && one.object === fate.object;
  const isTold = (fate: Fate): boolean => said.some((one) => isOf(one, fate));
  return {
    hits: fates.filter(isTold),
    missed: fates.filter((fate) => !isTold(fate)),
    alarms: said.filter((one) => !fates.some((fate) => isOf(one, fate))),
  };
}
