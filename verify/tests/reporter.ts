/** A reporter of node:test: one JSON object a line for each test, and for each suite that failed by itself. */
import type { EventData } from "node:test";
import { inspect } from "node:util";

/** A test's end. `path`: the file, the suites and the name. */
export type TestResult = {
  readonly path: readonly string[];
  readonly outcome: "passed" | "failed" | "skipped";
  /** Why it was skipped, or how it failed. */
  readonly text?: string;
};

type Event =
  | { readonly type: "test:start"; readonly data: EventData.TestStart }
  | { readonly type: "test:pass"; readonly data: EventData.TestPass }
  | { readonly type: "test:fail"; readonly data: EventData.TestFail }
  | { readonly type: "test:diagnostic"; readonly data: EventData.TestDiagnostic }
  | { readonly type: "other" };

export default async function* report(source: AsyncIterable<Event>): AsyncGenerator<string> {
  const path: string[] = [];
  for await (const event of source) {
    if (event.type === "test:start") path.splice(event.data.nesting, Infinity, event.data.name);
    if (event.type === "test:diagnostic" && event.data.message.startsWith("Error: "))
      yield `${JSON.stringify(describeStray(event.data.message))}\n`;
    if (event.type !== "test:pass" && event.type !== "test:fail") continue;
    const result = describeEnd(event, [...path.slice(0, event.data.nesting), event.data.name]);
    if (result !== undefined) yield `${JSON.stringify(result)}\n`;
  }
}

/** An error that nobody caught: node:test doesn't know whose it is. */
function describeStray(text: string): TestResult {
  return { path: ["an error that no test caught"], outcome: "failed", text };
}

function describeEnd(
  event: Extract<Event, { type: "test:pass" | "test:fail" }>,
  path: readonly string[],
): TestResult | undefined {
  const { data } = event;
  if (event.type === "test:fail") return describeFailure(event.data, path);
  if (data.details.type === "suite" && data.skip === undefined) return undefined;
  if (data.skip === undefined && data.todo === undefined) return { path, outcome: "passed" };
  return { path, outcome: "skipped", text: String(data.skip ?? data.todo) };
}

function describeFailure({ details }: EventData.TestFail, path: readonly string[]): TestResult | undefined {
  const { error } = details;
  if (details.type === "suite" && "failureType" in error && error.failureType === "subtestsFailed") return undefined;
  return { path, outcome: "failed", text: inspect(error.cause ?? error) };
}
