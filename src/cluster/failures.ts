import { FailedError } from "../model/errors.ts";
import { type JsonObject, textAt, parseObject } from "../model/json.ts";
import type { Absent } from "../model/read.ts";
import type { ReadFailure, ReadFailureReason } from "../model/reader.ts";

export function failed(reason: ReadFailureReason, message: string): ReadFailure {
  return { kind: "failed", reason, message };
}

/** What an aborted signal says: AbortSignal.timeout's reason is a TimeoutError. */
export function aborted(signal: AbortSignal, where: string): ReadFailure {
  const reason: unknown = signal.reason;
  if (reason instanceof Error && reason.name === "TimeoutError") return failed("TimedOut", `${where} took too long`);
  return failed("Cancelled", `Reading ${where} was cancelled`);
}

/** What an API server says of an answer other than 200; absent where it says that something isn't there. */
export function refusal(status: number, body: string, where: string): ReadFailure | Absent {
  const said = parseStatus(body);
  const message = (said && textAt(said, "message")) || `${where} was answered with ${status}`;
  if (status === 401) return failed("Unauthorized", `The API server refused the credentials: ${message}. Log in again`);
  if (status === 403) return failed("Forbidden", message);
  if (status === 404) return absence(said, body, where);
  if (status >= 300 && status < 400) {
    return failed(
      "NotUnderstood",
      `${where} was redirected (${status}), which is not followed: check the server's URL`,
    );
  }
  return failed("ServerError", said ? `${message} (${status})` : message);
}

function parseStatus(body: string): JsonObject | undefined {
  const said = parseObject(body);
  return textAt(said, "kind") === "Status" ? said : undefined;
}

/** An API server names the object that it misses; of kinds that it doesn't serve it says so, or gives Go's plain page. */
function absence(said: JsonObject | undefined, body: string, where: string): ReadFailure | Absent {
  if (said) return { kind: "absent", what: textAt(said, "details", "name") ? "object" : "resource" };
  if (body.trim() === "404 page not found") return { kind: "absent", what: "resource" };
  return failed(
    "NotUnderstood",
    `${where} was answered with 404, but not by a Kubernetes API server: check the server's URL`,
  );
}

export type Broken = { readonly failure: ReadFailure; readonly retry: boolean };

/** What a request that got no whole answer died of; `retry`: could another try fare better? */
export function broken(error: unknown, server: string): Broken {
  if (error instanceof FailedError) return { failure: failed("Unauthorized", error.message), retry: false };
  const text = error instanceof Error ? error.message : String(error);
  const code = codeOf(error);
  if (text.startsWith("proxy ")) return unreachable(`${server}: ${text}`, !/ answered 4\d\d/.test(text));
  if (code === "ENOTFOUND") return unreachable(`${server}: its name was not found`, false);
  if (code === "ECONNREFUSED") return unreachable(`${server} refused the connection`, true);
  if (code === "ERR_TLS_CERT_ALTNAME_INVALID")
    return unreachable(`${server}: its certificate is for another name`, false);
  if (code === "CERT_HAS_EXPIRED") return unreachable(`${server}: its certificate has expired`, false);
  if (UNTRUSTED.test(code)) {
    return unreachable(`${server}: its certificate is not trusted (${code}): check certificate-authority`, false);
  }
  if (code.startsWith("ERR_SSL") || code === "EPROTO") return unreachable(`${server}: TLS failed (${code})`, false);
  if (code === IDLE) return { failure: failed("TimedOut", `${server} sent nothing for too long`), retry: true };
  if (CUT.has(code)) return unreachable(`${server} cut the connection`, true);
  return unreachable(`${server}: ${code || text}`, true);
}

/** The code of the error by which a silent connection is given up. */
export const IDLE = "PREFLIGHT_IDLE";
const CUT = new Set(["ECONNRESET", "EPIPE", "ECONNABORTED", "HPE_INVALID_EOF_STATE", "ERR_STREAM_PREMATURE_CLOSE"]);
const UNTRUSTED = /SELF_SIGNED|UNABLE_TO|^CERT_|INVALID_CA|_CRL$/;

function unreachable(message: string, retry: boolean): Broken {
  return { failure: failed("Unreachable", message), retry };
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "";
}
