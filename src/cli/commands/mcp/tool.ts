import type { Json, JsonObject } from "../../../model/json.ts";

/** A JSON schema of an object, as tools describe their arguments and results. */
export type ObjectSchema = { readonly type: "object"; readonly [keyword: string]: Json };

/** A tool of the server. `run` resolves with its structured result, or throws a FailedError or a UsageError of one line. */
export type Tool = {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: ObjectSchema;
  readonly outputSchema: ObjectSchema;
  readonly run: (given: JsonObject, signal: AbortSignal) => Promise<JsonObject>;
};

/** Runs this program with these words, and resolves with its output; an exit code that is no verdict is a FailedError. */
export type RunCommand = (words: readonly string[], signal: AbortSignal) => Promise<CommandOutput>;

/** `warnings`: the lines on stderr. */
export type CommandOutput = { readonly code: number; readonly out: string; readonly warnings: readonly string[] };
