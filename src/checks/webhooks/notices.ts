import { compareText } from "../../model/json.ts";
import { summarizeNames } from "../../model/names.ts";
import { formatRef } from "../../model/resource.ts";
import type { BackendState } from "./backends.ts";
import type { Webhook } from "./webhooks.ts";
import type { Reach } from "./reach.ts";

/** Whom the API server asks, whether it gets an answer, and what of an update that holds up; a conversion counts as `writes`. */
export type JudgedWebhook = { readonly webhook: Webhook; readonly state: BackendState; readonly reach: Reach };

/** Is it worth a risk, and not a notice alone? */
export function isRisk({ state, reach }: JudgedWebhook): boolean {
  return state.kind === "down" && (reach === "pods" || reach === "writes");
}

export function buildNotices(judgedWebhooks: readonly JudgedWebhook[]): readonly string[] {
  const [down, affecting] = [
    judgedWebhooks.filter(({ state }) => state.kind === "down"),
    judgedWebhooks.filter(({ reach }) => reach === "pods" || reach === "writes"),
  ];
  return [
    ...buildNotice(
      down.filter(({ reach }) => reach === "nothing"),
      (names) =>
        `Nothing answers for ${names}, so requests that need an answer are refused; an update makes none of them.`,
    ),
    ...buildNotice(
      down.filter(({ reach }) => reach === "asked"),
      (names) =>
        `Nothing answers for ${names}, so objects with the labels that the objectSelector asks for can't be written; whether any have them was not looked at.`,
    ),
    ...buildNotice(
      affecting.filter(({ state }) => state.kind === "restarting"),
      (names) => `Nothing answers for ${names} at the moment. If that lasts, the update gets stuck on it.`,
    ),
    ...buildNotice(
      affecting.filter(({ state }) => state.kind === "outside"),
      (names) => `Whether anybody answers for ${names} was not looked at, since the way leads out of the cluster.`,
    ),
    ...buildNotice(
      judgedWebhooks.filter(({ state, reach }) => state.kind === "single" && reach === "pods"),
      (names) =>
        `One pod alone answers for ${names}: while it moves from a drained node, no pod that it is asked about can be created, and if it is asked about its own, it stays away.`,
    ),
  ];
}

function buildNotice(judgedWebhooks: readonly JudgedWebhook[], text: (names: string) => string): readonly string[] {
  if (judgedWebhooks.length === 0) return [];
  const names = judgedWebhooks
    .map(({ webhook: { object, path } }) => `${formatRef(object)} (${path})`)
    .toSorted(compareText);
  return [text(summarizeNames(names))];
}
