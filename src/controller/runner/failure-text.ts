import { findConditionIn } from "../../model/conditions.ts";
import { type JsonObject, parseObject, textAt } from "../../model/json.ts";
import { sortNames } from "../../model/names.ts";
import { toStableText } from "../../model/stable-text.ts";
import type { RunnerFailure } from "../../lift/progress/runner-state.ts";
import { RUNNER_NAME } from "../api/api-paths.ts";

/** The characters of generated names. */
const GENERATED = "[bcdfghjklmnpqrstvwxz2456789]";

/** What messages about pods have of their own that differs each time, beside times, addresses and the like. */
const CHANGING: readonly (readonly [RegExp, string])[] = [
  [/^\(combined from similar events\): /, ""],
  [new RegExp(`\\b${RUNNER_NAME}-${GENERATED}{5,10}(?:-${GENERATED}{5})?\\b`, "g"), RUNNER_NAME],
  // Of a quota: what everything else in the namespace uses.
  [/, used: .*?(?=, limited: |$)/g, ""],
  // In the order of a map.
  [/, (?:unattached|failed to process) volumes=\[[^\]]*\]/g, ""],
];

/** The text of a failure without what differs although the failure is the same. The objects' names and the status of a response stay. */
export function toFailureText(message: string): string {
  const text = CHANGING.reduce((rest, [pattern, by]) => rest.replace(pattern, by), message.trim());
  return toStableText(
    text.replace(/\b\d+\/\d+ nodes are available: ([^]*)$/, (_, reasons) => formatNodes(`${reasons}`)),
  );
}

/** The scheduler counts the nodes for each reason and sorts the reasons by these numbers. What preemption would do is another sentence. */
function formatNodes(reasons: string): string {
  const [sentence = ""] = reasons.replace(/\.$/, "").split(". ", 1);
  const parts = sentence.split(/, (?=\d+ )/);
  return `no node is available: ${sortNames(parts.map((part) => part.replace(/^\d+ /, ""))).join(", ")}`;
}

/** Messages that only say that something is tried again. */
const CAUSELESS = /^(?:Back-?off\b|ImagePullBackOff$|ErrImagePull$|pull QPS exceeded)/i;
const NETWORK =
  /\b(?:dial|lookup|i\/o timeout|connection (?:refused|reset|timed out)|no route to host|unreachable|deadline exceeded|handshake timeout|EOF|request canceled|no endpoints available|ECONN[A-Z]+|ETIMEDOUT|ENOTFOUND|EAI_AGAIN)\b/i;

/** A failure as the last result reports it. */
type KnownFailure = { readonly reason: string; readonly message: string };

export function findKnownFailure(result: JsonObject | undefined): KnownFailure | undefined {
  const failed = findConditionIn(parseObject(textAt(result, "data", "proposal.json") ?? ""), "PreflightFailed");
  const reason = textAt(failed, "reason");
  const message = textAt(failed, "message");
  if (textAt(failed, "status") !== "True" || reason === undefined || message === undefined) return undefined;
  return { reason, message };
}

/** The text of before, if the failure is the same: a network fails in many ways, and a back-off may not say why. */
export function keepKnownText(failure: RunnerFailure, known: KnownFailure | undefined): RunnerFailure {
  const [subject = ""] = failure.message.split(": ", 1);
  const start = known?.reason === failure.reason ? known.message.indexOf(`${subject}: `) : -1;
  if (known === undefined || start < 0) return failure;
  const message = known.message.slice(start);
  const skipped = subject.length + 2;
  return isSameCause(failure.message.slice(skipped), message.slice(skipped)) ? { ...failure, message } : failure;
}

function isSameCause(now: string, before: string): boolean {
  if (CAUSELESS.test(now)) return true;
  if (!NETWORK.test(now) || !NETWORK.test(before)) return false;
  const hosts = findHosts(now);
  const hostsBefore = findHosts(before);
  return hosts === "" || hostsBefore === "" || hosts === hostsBefore;
}

function findHosts(text: string): string {
  return sortNames([...text.matchAll(/https?:\/\/([^/\s"]+)/g)].map(([, host = ""]) => host)).join();
}
