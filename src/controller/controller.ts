import { fieldsOf, NO_FIELDS } from "../lift/fields.ts";
import type { DocumentState } from "../lift/runner-state.ts";
import { at, listAt, textAt, type JsonObject } from "../model/json.ts";
import type { Action } from "./action.ts";
import type { Api } from "./api.ts";
import { askedOf } from "./asked.ts";
import { decide, type Settings } from "./decide.ts";
import { follow, type Seen } from "./informer.ts";
import { lead } from "./lead.ts";
import { type KnownFields, observe } from "./observe.ts";
import type { Observed } from "./observed.ts";
import { perform } from "./perform.ts";
import { CLUSTER_VERSION_CRD, FOLLOWED } from "./places.ts";
import type { Say } from "./say.ts";
import { worker } from "./worker.ts";

export type ControllerTools = {
  readonly api: Api;
  readonly say: Say;
  readonly readDocument: () => Promise<DocumentState>;
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
  readonly now: () => Date;
  readonly clock: () => number;
  /** Told after each look what was seen and what followed. */
  readonly onLook: (seen: Observed, actions: readonly Action[]) => void;
  readonly onLeading: (isLeading: boolean) => void;
};

export type ControllerOptions = Settings & {
  readonly identity: string;
  readonly leaseSeconds: number;
  /** Between two looks at the document while a preflight is asked for. */
  readonly pollMs: number;
};

const AT_ONCE_MS = 100;
const AFTER_FAILURE_MS = 5_000;

/** Serves requests for a preflight until the signal aborts, one of several controllers at a time. */
export async function runController(
  tools: ControllerTools,
  options: ControllerOptions,
  stop: AbortSignal,
): Promise<void> {
  const { identity, leaseSeconds } = options;
  const work = async (signal: AbortSignal): Promise<void> => {
    tools.onLeading(true);
    await serve(tools, options, signal).finally(() => tools.onLeading(false));
  };
  await lead({ ...tools, identity, leaseSeconds }, work, stop);
}

/** `refusal` is why the Deployment was refused just now; `told` what was said last, so that it is said once. */
type Known = { fields?: KnownFields; refusal?: string; told?: string };

async function serve(tools: ControllerTools, options: ControllerOptions, signal: AbortSignal): Promise<void> {
  const known: Known = {};
  const { wake, run } = worker((stop) => look(known, tools, options, stop));
  const onTrouble = (message: string): void =>
    tools.say.warn("the API server can't be followed, trying again", { why: message });
  const onCrd = (seen: Seen): void => {
    known.fields = knownFields(seen);
    wake();
  };
  await Promise.all([
    follow(CLUSTER_VERSION_CRD, onCrd, { ...tools, onTrouble }, signal),
    ...FOLLOWED.map((one) => follow(one, wake, { ...tools, onTrouble }, signal)),
    run(signal),
  ]);
}

/** Looks, decides, writes. Gives the milliseconds after which to look again though nothing has told of a change. */
async function look(
  known: Known,
  tools: ControllerTools,
  options: ControllerOptions,
  signal: AbortSignal,
): Promise<number | undefined> {
  if (known.fields === undefined) return undefined;
  const found = await observe(tools, known.fields, known.refusal, signal);
  if (signal.aborted) return undefined;
  if (found.kind !== "seen") {
    tellOnce(known, tools.say, `can't serve now: ${found.message}`);
    return AFTER_FAILURE_MS;
  }
  tellOfOperator(known, tools.say, found.seen, options);
  const actions = decide(found.seen, options, tools.now());
  tools.onLook(found.seen, actions);
  const performed = await perform(actions, tools.api, tools.say, signal);
  const isNews = performed.refusal !== known.refusal;
  delete known.refusal;
  if (performed.refusal !== undefined) known.refusal = performed.refusal;
  if (performed.kind === "again" || isNews) return AT_ONCE_MS;
  if (performed.kind === "refused") return Math.max(options.pollMs, AFTER_FAILURE_MS);
  return askedOf(found.seen).kind === "nothing" && actions.length === 0 ? undefined : options.pollMs;
}

function tellOnce(known: Known, say: Say, message: string): void {
  if (known.told !== message && message !== "") say.warn(message);
  known.told = message;
}

/** --write-status is refused where an operator manages the status. */
function tellOfOperator(known: Known, say: Say, { operator }: Observed, { writeStatus }: ControllerOptions): void {
  if (!writeStatus || operator.kind === "absent") return tellOnce(known, say, "");
  const who = operator.kind === "running" ? `${operator.holder} holds its lease` : operator.message;
  tellOnce(
    known,
    say,
    `--write-status is refused, since a cluster-version operator runs (${who}): see preflight-result`,
  );
}

function knownFields(seen: Seen): KnownFields {
  if (seen.kind === "absent") return { fields: NO_FIELDS, conditionsAreShared: false };
  return { fields: fieldsOf(seen.object), conditionsAreShared: conditionsAreShared(seen.object) };
}

function conditionsAreShared(crd: JsonObject): boolean {
  const version = listAt(crd, "spec", "versions").find((one) => textAt(one, "name") === "v1");
  const conditions = at(version, "schema", "openAPIV3Schema", "properties", "status", "properties", "conditions");
  return textAt(conditions, "x-kubernetes-list-type") === "map";
}
