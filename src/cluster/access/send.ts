import { type IncomingMessage, type RequestOptions, request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import type { Socket } from "node:net";
import type { RequestAuth } from "./connection.ts";
import { buildIdleError, rejectOnAbort } from "../../network/connection-error.ts";
import type { ApiRequest } from "./transport.ts";

const FIRST_FAILURE_STATUS = 500;

/**
 * The one place that sends anything to an API server. Renews refused credentials once. Rejects if no response arrives, or once the
 * signal aborts, even while a credential plugin hangs.
 */
export async function sendRequest(request: ApiRequest): Promise<IncomingMessage> {
  const { signal, transport } = request;
  const auth = await rejectOnAbort(transport.connection.getAuth(), signal);
  const response = await sendOnce(request, auth);
  if (response.statusCode !== 401) return response;
  response.destroy();
  return sendOnce(request, await rejectOnAbort(transport.connection.renewAuth(auth), signal));
}

function sendOnce(request: ApiRequest, auth: RequestAuth): Promise<IncomingMessage> {
  const { transport, path, content } = request;
  const { onSent, onAnswered } = transport.link.beginRequest();
  const url = new URL(`${transport.connection.server}${path}`);
  const clientRequest = (url.protocol === "https:" ? requestHttps : requestHttp)(url, buildOptions(request, auth));
  return new Promise((resolve, reject) => {
    clientRequest.once("socket", ignoreLateErrors);
    clientRequest.once("finish", onSent);
    clientRequest.once("timeout", () => clientRequest.destroy(buildIdleError()));
    clientRequest.on("error", reject);
    clientRequest.once("response", (response) => {
      clientRequest.once("timeout", () => response.destroy(buildIdleError()));
      // A failure may be the answer of a proxy that is nearer than the API server.
      if ((response.statusCode ?? 0) < FIRST_FAILURE_STATUS) onAnswered();
      resolve(response);
    });
    clientRequest.end(content?.text);
  });
}

/** An abort right after a response's last byte destroys a connection that no request listens to any more, which would end the process. */
function ignoreLateErrors(socket: Socket): void {
  if (!socket.listeners("error").includes(ignoreError)) socket.on("error", ignoreError);
}

function ignoreError(): void {}

/** Node sets no content-length for a DELETE: without ours, the server would read the body as the next request. */
function buildOptions(
  { transport, method, content, accept, acceptsGzip, signal }: ApiRequest,
  auth: RequestAuth,
): RequestOptions {
  return {
    method,
    agent: auth.agent,
    headers: {
      ...auth.headers,
      accept: accept ?? "application/json",
      "accept-encoding": acceptsGzip ? "gzip" : "identity",
      "user-agent": transport.userAgent,
      ...(content && { "content-type": content.type, "content-length": Buffer.byteLength(content.text) }),
    },
    timeout: transport.idleTimeoutMs,
    signal,
  };
}
