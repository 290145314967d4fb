import type { JsonObject } from "../../src/model/json.ts";
import type { Absence, ListSummary, ReadFailure, Reader, Visitor } from "../../src/model/reader.ts";
import { buildResourcePath, buildSelectionPath } from "../../src/model/resource.ts";

/** The result for a path: an object (or JSON text), the objects of a list, a failure, an absence, or a promise that may never settle. */
export type FakeResponse = JsonObject | readonly JsonObject[] | ReadFailure | Absence | "hangs";

export type FakeReader = Reader & { readonly paths: string[] };

/** The list of API groups that every API server has; empty here. */
const DISCOVERY: FakeResponse = { kind: "APIGroupList", apiVersion: "v1", groups: [] };

/** A Reader over a map of API paths; a path that isn't in the map is absent. It records all requests. */
export function fakeReader(answers: Readonly<Record<string, FakeResponse>>): FakeReader {
  const paths: string[] = [];
  const findResponse = (path: string): FakeResponse | undefined => {
    paths.push(path);
    return answers[path] ?? (path === "/apis" ? DISCOVERY : undefined);
  };
  const list = async (
    path: string,
    begin: () => Visitor,
    signal: AbortSignal,
  ): Promise<ListSummary | Absence | ReadFailure> => {
    const answer = findResponse(path);
    if (answer === "hangs") return hang(signal);
    if (answer === undefined) return { kind: "absent", what: "resource" };
    if (isFailure(answer) || isAbsent(answer)) return answer;
    const items = isList(answer) ? answer : [answer];
    // A first attempt that the server cuts short: its objects must not count.
    const cutShort = begin();
    for (const item of items.slice(0, 1)) cutShort(item);
    const visit = begin();
    for (const item of items) visit(item);
    return { kind: "listed", objects: items.length, bytes: 10 * items.length };
  };
  return {
    paths,
    async get({ resource, namespace, name }, signal) {
      const answer = findResponse(buildResourcePath(resource, namespace, name));
      if (answer === "hangs") return hang(signal);
      if (answer === undefined) return { kind: "absent", what: "object" };
      if (isFailure(answer) || isAbsent(answer)) return answer;
      return isList(answer) ? { kind: "absent", what: "object" } : { kind: "found", object: answer, bytes: 10 };
    },
    list: (resource, begin, signal) => list(buildResourcePath(resource), () => begin(undefined), signal),
    listSelected: (resource, selection, begin, signal) => list(buildSelectionPath(resource, selection), begin, signal),
    async raw(path, begin, signal) {
      const answer = findResponse(path);
      if (answer === "hangs") return hang(signal);
      if (answer === undefined) return { kind: "absent", what: "resource" };
      if (isFailure(answer) || isAbsent(answer)) return answer;
      // A first attempt that breaks in the middle: its items must not count.
      begin()("void");
      const visit = begin();
      for (const line of JSON.stringify(answer, undefined, 1).split("\n")) visit(line);
      return { kind: "read", bytes: 10 };
    },
  };
}

function isFailure(answer: FakeResponse): answer is ReadFailure {
  return typeof answer === "object" && "kind" in answer && answer.kind === "failed";
}

function isAbsent(answer: FakeResponse): answer is Absence {
  return typeof answer === "object" && "kind" in answer && answer.kind === "absent";
}

function isList(answer: FakeResponse): answer is readonly JsonObject[] {
  return Array.isArray(answer);
}

function hang(signal: AbortSignal): Promise<ReadFailure> {
  return new Promise((resolve) => {
    const end = (): void => resolve({ kind: "failed", reason: "TimedOut", message: "no answer in time" });
    if (signal.aborted) end();
    else signal.addEventListener("abort", end, { once: true });
  });
}
