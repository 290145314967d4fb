import { QUERIES_PATH, type Query } from "../../model/read.ts";
import type { QueryAnswer, ReadFailureReason } from "../../model/reader.ts";
import type { GatherOptions } from "./gather.ts";

type Answers = readonly (readonly [Query, { readonly kind: "found"; readonly value: QueryAnswer }])[];

/** Each expression once, one after another. Where the monitoring does not work, or not for this account, the others are not tried. */
export async function gatherQueries(queries: readonly Query[], options: GatherOptions): Promise<Answers> {
  const answers = new Map<string, QueryAnswer>();
  let end: QueryAnswer | undefined;
  for (const { expression } of queries) {
    const answer = answers.get(expression) ?? end ?? (await askMonitoring(expression, options));
    if (answer.kind === "failed" && ENDS.has(answer.reason)) end = answer;
    answers.set(expression, answer);
  }
  return queries.map((query) => {
    const value = answers.get(query.expression) ?? { kind: "notAllowed" };
    return [query, { kind: "found", value }] as const;
  });
}

const ENDS: ReadonlySet<ReadFailureReason> = new Set([
  "Cancelled",
  "Forbidden",
  "ServerError",
  "TimedOut",
  "Unauthorized",
  "Unreachable",
]);

async function askMonitoring(expression: string, options: GatherOptions): Promise<QueryAnswer> {
  const { reader, signal, onRead } = options;
  if (reader.query === undefined) return { kind: "notAllowed" };
  const answer = await reader.query(expression, signal);
  const outcome = answer.kind === "failed" ? "failed" : "found";
  onRead({ path: QUERIES_PATH, outcome, objects: 0, bytes: 0 });
  return answer;
}
