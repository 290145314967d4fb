import { byText } from "../../model/json.ts";
import { joinSome } from "../../model/names.ts";
import { refText } from "../../model/resource.ts";
import type { State } from "./backends.ts";
import type { Caller } from "./hooks.ts";
import type { Reach } from "./reach.ts";

/** Whom the API server asks, whether it gets an answer, and what of an update that holds up; a conversion counts as `writes`. */
export type Judged = { readonly caller: Caller; readonly state: State; readonly reach: Reach };

/** Is it worth a risk, and not a notice alone? */
export function isRisk({ state, reach }: Judged): boolean {
  return state.kind === "down" && (reach === "pods" || reach === "writes");
}

export function noticesOf(judged: readonly Judged[]): readonly string[] {
  const [down, held] = [
    judged.filter(({ state }) => state.kind === "down"),
    judged.filter(({ reach }) => reach === "pods" || reach === "writes"),
  ];
  return [
    ...notice(
      down.filter(({ reach }) => reach === "nothing"),
      (names) =>
        `Nothing answers for ${names}, so requests that need an answer are refused; an update makes none of them.`,
    ),
    ...notice(
      down.filter(({ reach }) => reach === "asked"),
      (names) =>
        `Nothing answers for ${names}, so objects with the labels that the objectSelector asks for can't be written; whether any have them was not looked at.`,
    ),
    ...notice(
      held.filter(({ state }) => state.kind === "restarting"),
      (names) => `Nothing answers for ${names} at the moment. If that lasts, the update gets stuck on it.`,
    ),
    ...notice(
      held.filter(({ state }) => state.kind === "outside"),
      (names) => `Whether anybody answers for ${names} was not looked at, since the way leads out of the cluster.`,
    ),
    ...notice(
      judged.filter(({ state, reach }) => state.kind === "single" && reach === "pods"),
      (names) =>
        `One pod alone answers for ${names}: while it moves from a drained node, no pod that it is asked about can be created, and if it is asked about its own, it stays away.`,
    ),
  ];
}

function notice(judged: readonly Judged[], text: (names: string) => string): readonly string[] {
  if (judged.length === 0) return [];
  const names = judged.map(({ caller: { object, path } }) => `${refText(object)} (${path})`).toSorted(byText);
  return [text(joinSome(names))];
}
