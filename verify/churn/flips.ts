import { selectPreflightConditions } from "../../src/lift/progress/preflight-conditions.ts";
import { type JsonObject, textAt } from "../../src/model/json.ts";
import type { AuditRecord } from "./audit-log.ts";
import { isTransitionTime } from "./changes.ts";
import type { PlayLog, Span } from "./play.ts";

/** A state of a condition, and the span in which it was written. */
type State = Span & { readonly text: string };
type Flip = Span & { readonly sentence: string };

/** Finds conditions of ours that come back to what they were although nobody changed anything in between. */
export type FlipFinder = {
  readonly add: (record: AuditRecord, changed: readonly string[]) => void;
  readonly list: () => readonly string[];
};

export function createFlipFinder(steps: PlayLog["steps"]): FlipFinder {
  const inputs: Span[] = [...steps];
  const flips: Flip[] = [];
  const past = new Map<string, State[]>();
  const addState = (type: string, state: State): void => {
    const before = past.get(type) ?? [];
    past.set(type, before);
    if (before.at(-1)?.text === state.text) return;
    before.push(state);
    flips.push(...findFlip(type, before));
  };
  return {
    add(record, changed) {
      const span = { from: record.receivedAt, to: record.at };
      if (isInput(record, changed)) inputs.push(span);
      if (!record.path.startsWith("clusterversions/")) return;
      const states = listPreflightConditions(record.response);
      for (const type of new Set([...past.keys(), ...states.keys()]))
        addState(type, { ...span, text: states.get(type) ?? "absent" });
    },
    // A write is seen before it is answered, so an input can stand behind what follows from it.
    list: () => flips.filter((flip) => !inputs.some((input) => overlaps(input, flip))).map(({ sentence }) => sentence),
  };
}

/** The last state, if it was there before: from the state that was written in between. */
function findFlip(type: string, past: readonly State[]): readonly Flip[] {
  const last = past.at(-1);
  const first = past.findLastIndex(({ text }, i) => i < past.length - 1 && text === last?.text);
  const between = past[first + 1];
  if (first < 0 || !last || !between) return [];
  const texts = past.slice(first).map(({ text }) => text);
  // A document also expires by itself, if the next cycle is late, and comes back with a clock that jumps back.
  if (texts.slice(-2).some((text) => text.endsWith(" DocumentStale"))) return [];
  const sentence = `${new Date(last.to).toISOString()} ${type} flips without an input: ${texts.join(" -> ")}`;
  return [{ from: between.from, to: last.to, sentence }];
}

function overlaps(a: Span, b: Span): boolean {
  return a.from <= b.to && a.to >= b.from;
}

/** What the controller's conditions may follow: others' changes, and a new document of the runner. */
function isInput({ account, isLease, path, verb }: AuditRecord, changed: readonly string[]): boolean {
  if (isLease) return false;
  if (account === "controller") return path.endsWith("/preflight-result") && changed.some(isDocument);
  return verb === "create" || verb.startsWith("delete") || changed.some((one) => !isTransitionTime(one));
}

function isDocument(path: string): boolean {
  return path.startsWith("/data/document.json");
}

/** By type, as "True Checking". */
function listPreflightConditions(clusterVersion: JsonObject): ReadonlyMap<string, string> {
  return new Map(
    selectPreflightConditions(clusterVersion).map((one) => [
      textAt(one, "type") ?? "",
      `${textAt(one, "status")} ${textAt(one, "reason")}`,
    ]),
  );
}
