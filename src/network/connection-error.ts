import { errorCode } from "../model/errors.ts";

/** Why no complete response arrived. `predicate` follows the server's name: ": its certificate has expired". */
export type ConnectionError = {
  readonly kind: "untrusted" | "untrustedProxy" | "notTls" | "idle" | "unreachable" | "proxy" | "other";
  readonly predicate: string;
  readonly isRetriable: boolean;
};

/** The code of the error that ends a silent connection. */
const IDLE_CODE = "PREFLIGHT_IDLE";
const RESET_CODES = new Set([
  "ECONNRESET",
  "EPIPE",
  "ECONNABORTED",
  "HPE_INVALID_EOF_STATE",
  "ERR_STREAM_PREMATURE_CLOSE",
]);
/** What a firewall in between looks like. */
const UNREACHABLE_CODES = new Set(["EAI_AGAIN", "ETIMEDOUT", "EHOSTUNREACH", "ENETUNREACH"]);
const UNTRUSTED_CERTIFICATE = /SELF_SIGNED|UNABLE_TO|^CERT_|INVALID_CA|_CRL$/;

export function buildIdleError(): Error {
  return Object.assign(new Error("the connection was silent for too long"), { code: IDLE_CODE });
}

export function isIdleError(error: unknown): boolean {
  return errorCode(error) === IDLE_CODE;
}

/** The code of the error that ends a compressed answer without content. Those of zlib begin alike. */
const EMPTY_CODE = "Z_PREFLIGHT_EMPTY";

export function buildDamageError(): Error {
  return Object.assign(new Error("the compressed answer has no content"), { code: EMPTY_CODE });
}

/** Whether a compressed answer can't be unpacked. */
export function isDamageError(error: unknown): boolean {
  return errorCode(error)?.startsWith("Z_") ?? false;
}

export function describeConnectionError(error: unknown): ConnectionError {
  const text = error instanceof Error ? error.message : String(error);
  const code = errorCode(error) ?? "";
  if (text.startsWith("proxy ")) return describeProxyError(error, text);
  if (code === "ENOTFOUND") return describe(": its name was not found", false, "unreachable");
  if (code === "ECONNREFUSED") return describe(" refused the connection", true, "unreachable");
  if (UNREACHABLE_CODES.has(code)) return describe(`: ${code}`, true, "unreachable");
  if (code === "ERR_TLS_CERT_ALTNAME_INVALID") return describe(": its certificate is for another name", false);
  if (code === "CERT_HAS_EXPIRED") return describe(": its certificate has expired", false);
  if (UNTRUSTED_CERTIFICATE.test(code))
    return describe(`: its certificate is not trusted (${code})`, false, "untrusted");
  if (code.startsWith("ERR_SSL") || code === "EPROTO") return describe(`: TLS failed (${code})`, false, "notTls");
  if (isIdleError(error)) return describe(" sent nothing for too long", true, "idle");
  if (RESET_CODES.has(code)) return describe(" cut the connection", true);
  return describe(`: ${code || text}`, true);
}

function describeProxyError(error: unknown, text: string): ConnectionError {
  const code = (error instanceof Error && errorCode(error.cause)) || "";
  if (UNTRUSTED_CERTIFICATE.test(code)) return describe(`: ${text} (${code})`, false, "untrustedProxy");
  return describe(`: ${text}`, !/ responded with 4\d\d/.test(text), "proxy");
}

function describe(predicate: string, isRetriable: boolean, kind: ConnectionError["kind"] = "other"): ConnectionError {
  return { kind, predicate, isRetriable };
}

/** Waits no longer than for the signal, which does not end the work: others may wait for it too, as for a credential plugin. */
export function rejectOnAbort<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(new Error("aborted", { cause: signal.reason }));
    if (signal.aborted) return stop();
    signal.addEventListener("abort", stop, { once: true });
    void promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", stop));
  });
}
