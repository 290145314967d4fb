import { at, type Json, isList, listAt, parseObject, textAt } from "../../model/json.ts";
import { quote } from "../../model/text.ts";
import type { QueryAnswer, ReadFailureReason } from "../../model/reader.ts";
import { type Endpoint, formatRightsHint } from "./endpoint.ts";

const MAX_ERROR_LENGTH = 200;

/** What the monitoring's response to an instant query says. */
export function parseQueryResponse(
  status: number,
  text: string,
  { server, access }: Pick<Endpoint, "server" | "access">,
): QueryAnswer {
  const fail = (reason: ReadFailureReason, message: string): QueryAnswer => ({
    kind: "failed",
    reason,
    message: `${server} ${message}`,
  });
  if (status === 401) return fail("Unauthorized", "does not accept the token (401): log in again, or renew it");
  if (status === 403)
    return fail(
      "Forbidden",
      `gives this account no right to query (403): ${formatRightsHint(access)} it, and the ClusterRole cluster-monitoring-view has it`,
    );
  if (status >= 300 && status < 400) return fail("NotUnderstood", `redirects (${status}), which is not followed`);
  const body = parseObject(text);
  const error = textAt(body, "status") === "error" ? `: ${formatQueryError(body)}` : "";
  // The statuses of an expression that can't be parsed, and of one that can't be evaluated.
  if (error !== "" && (status === 400 || status === 422)) return { kind: "noVector", message: formatQueryError(body) };
  if (status !== 200) return fail("ServerError", `answers with ${status}${error}`);
  if (textAt(body, "status") !== "success") return fail("NotUnderstood", "answers with something else than a result");
  return parseResult(at(body, "data"));
}

function formatQueryError(body: Json | undefined): string {
  const type = textAt(body, "errorType") ?? "error";
  const error = textAt(body, "error") ?? "";
  return `${quote(type, MAX_ERROR_LENGTH)}: ${quote(error, MAX_ERROR_LENGTH)}`;
}

function parseResult(data: Json | undefined): QueryAnswer {
  const type = textAt(data, "resultType") ?? "";
  if (type !== "vector" || !isList(at(data, "result")))
    return { kind: "noVector", message: `its result is a ${quote(type, MAX_ERROR_LENGTH)}, not a vector` };
  const values = listAt(data, "result").map((sample) => parseValue(textAt(sample, "value", 1) ?? ""));
  return { kind: "vector", values };
}

/** As Prometheus writes a number: "1", "0.25", "1e-7", "NaN", "+Inf". A sample without a number, such as a histogram, is NaN. */
function parseValue(text: string): number {
  return /^[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?$/i.test(text) ? Number(text) : NaN;
}
