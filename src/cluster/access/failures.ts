import { FailedError } from "../../model/errors.ts";
import { type JsonObject, textAt, parseObject } from "../../model/json.ts";
import type { Absence } from "../../model/read.ts";
import type { ReadFailure, ReadFailureReason } from "../../model/reader.ts";

export function buildFailure(reason: ReadFailureReason, message: string): ReadFailure {
  return { kind: "failed", reason, message };
}

/** What an aborted signal says: AbortSignal.timeout's reason is a TimeoutError. */
export function buildAbortFailure(signal: AbortSignal, where: string): ReadFailure {
  const reason: unknown = signal.reason;
  if (reason instanceof Error && reason.name === "TimeoutError")
    return buildFailure("TimedOut", `${where} took too long`);
  return buildFailure("Cancelled", `Reading ${where} was cancelled`);
}

/** What an API server says of an answer other than 200; absent where it says that something isn't there. */
export function parseErrorResponse(status: number, body: string, where: string): ReadFailure | Absence {
  const statusObject = parseStatus(body);
  const message = (statusObject && textAt(statusObject, "message")) || `${where} was answered with ${status}`;
  if (status === 401)
    return buildFailure("Unauthorized", `The API server refused the credentials: ${message}. Log in again`);
  if (status === 403) return buildFailure("Forbidden", message);
  if (status === 404) return parseNotFound(statusObject, body, where);
  if (status >= 300 && status < 400) {
    return buildFailure(
      "NotUnderstood",
      `${where} was redirected (${status}), which is not followed: check the server's URL`,
    );
  }
  return buildFailure("ServerError", statusObject ? `${message} (${status})` : message);
}

function parseStatus(body: string): JsonObject | undefined {
  const statusObject = parseObject(body);
  return textAt(statusObject, "kind") === "Status" ? statusObject : undefined;
}

/** An API server names the object that it misses; of kinds that it doesn't serve it says so, or gives Go's plain page. */
function parseNotFound(statusObject: JsonObject | undefined, body: string, where: string): ReadFailure | Absence {
  if (statusObject) return { kind: "absent", what: textAt(statusObject, "details", "name") ? "object" : "resource" };
  if (body.trim() === "404 page not found") return { kind: "absent", what: "resource" };
  return buildFailure(
    "NotUnderstood",
    `${where} was answered with 404, but not by a Kubernetes API server: check the server's URL`,
  );
}

export type ConnectionFailure = { readonly failure: ReadFailure; readonly isRetriable: boolean };

/** What a request that got no whole answer died of; `retry`: could another try fare better? */
export function classifyConnectionError(error: unknown, server: string): ConnectionFailure {
  if (error instanceof FailedError) return { failure: buildFailure("Unauthorized", error.message), isRetriable: false };
  const text = error instanceof Error ? error.message : String(error);
  const code = codeOf(error);
  if (text.startsWith("proxy ")) return buildUnreachable(`${server}: ${text}`, !/ answered 4\d\d/.test(text));
  if (code === "ENOTFOUND") return buildUnreachable(`${server}: its name was not found`, false);
  if (code === "ECONNREFUSED") return buildUnreachable(`${server} refused the connection`, true);
  if (code === "ERR_TLS_CERT_ALTNAME_INVALID")
    return buildUnreachable(`${server}: its certificate is for another name`, false);
  if (code === "CERT_HAS_EXPIRED") return buildUnreachable(`${server}: its certificate has expired`, false);
  if (UNTRUSTED_CERTIFICATE.test(code)) {
    return buildUnreachable(`${server}: its certificate is not trusted (${code}): check certificate-authority`, false);
  }
  if (code.startsWith("ERR_SSL") || code === "EPROTO")
    return buildUnreachable(`${server}: TLS failed (${code})`, false);
  if (code === IDLE_CODE)
    return { failure: buildFailure("TimedOut", `${server} sent nothing for too long`), isRetriable: true };
  if (RESET_CODES.has(code)) return buildUnreachable(`${server} cut the connection`, true);
  return buildUnreachable(`${server}: ${code || text}`, true);
}

/** The code of the error by which a silent connection is given up. */
export const IDLE_CODE = "PREFLIGHT_IDLE";
const RESET_CODES = new Set([
  "ECONNRESET",
  "EPIPE",
  "ECONNABORTED",
  "HPE_INVALID_EOF_STATE",
  "ERR_STREAM_PREMATURE_CLOSE",
]);
const UNTRUSTED_CERTIFICATE = /SELF_SIGNED|UNABLE_TO|^CERT_|INVALID_CA|_CRL$/;

function buildUnreachable(message: string, isRetriable: boolean): ConnectionFailure {
  return { failure: buildFailure("Unreachable", message), isRetriable };
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "";
}
