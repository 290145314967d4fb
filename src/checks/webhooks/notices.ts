import { compareText } from "../../model/json.ts";
import { formatRef } from "../../model/resource.ts";
import type { BackendState } from "./backends.ts";
import type { Webhook } from "./webhooks.ts";
import type { Reach } from "./reach.ts";
import { buildNamesNotice } from "../shared/notices.ts";

/** A webhook, whether its backend can answer, and which requests of an update call it; a conversion counts as `writes`. */
export type JudgedWebhook = { readonly webhook: Webhook; readonly state: BackendState; readonly reach: Reach };

/** Is it a risk rather than a notice? */
export function isRisk({ state, reach }: JudgedWebhook): boolean {
  return state.kind === "down" && (reach === "pods" || reach === "writes");
}

export function buildNotices(judgedWebhooks: readonly JudgedWebhook[]): readonly string[] {
  const down = judgedWebhooks.filter(({ state }) => state.kind === "down");
  const affecting = judgedWebhooks.filter(({ reach }) => reach === "pods" || reach === "writes");
  return [
    ...buildNotice(
      down.filter(({ reach }) => reach === "nothing"),
      (names) =>
        `No backend answers for ${names}, so the API server refuses requests that need an answer. An update makes no such request.`,
    ),
    ...buildNotice(
      down.filter(({ reach }) => reach === "deletes"),
      (names) =>
        `No backend answers for ${names}, so the API server refuses deletions that need an answer. Controllers delete such objects during an update, old revisions for example: these stay until a backend answers.`,
    ),
    ...buildNotice(
      down.filter(({ reach }) => reach === "labelled"),
      (names) =>
        `No backend answers for ${names}, so objects that the objectSelector matches can't be written. The check doesn't examine whether such objects exist.`,
    ),
    ...buildNotice(
      down.filter(({ reach }) => reach === "empty"),
      (names) =>
        `No backend answers for ${names}, but no object of the kind exists. If its product was removed, delete the definition (kubectl delete customresourcedefinition NAME): as soon as somebody creates an object, it can't be read in every version.`,
    ),
    ...buildNotice(
      down.filter(({ reach }) => reach === "unknown"),
      (names) =>
        `No backend answers for ${names}. Whether the update needs an answer is unknown, because what decides that could not be read.`,
    ),
    ...buildNotice(
      affecting.filter(({ state }) => state.kind === "restarting"),
      (names) => `No backend answers for ${names} at the moment. If this lasts, the update gets stuck on it.`,
    ),
    ...buildNotice(
      affecting.filter(({ state }) => state.kind === "outside"),
      (names) => `The check can't tell whether a backend answers for ${names}, because it is outside the cluster.`,
    ),
    ...buildNotice(
      judgedWebhooks.filter(({ state, reach }) => state.kind === "single" && reach === "pods"),
      (names) =>
        `Only one pod answers for ${names}. While it moves off a drained node, pods that need its answer can't be created; if it needs its own answer, it doesn't come back.`,
    ),
  ];
}

function buildNotice(judgedWebhooks: readonly JudgedWebhook[], text: (names: string) => string): readonly string[] {
  const names = judgedWebhooks
    .map(({ webhook: { object, path } }) => `${formatRef(object)} (${path})`)
    .toSorted(compareText);
  return buildNamesNotice(names, text);
}
