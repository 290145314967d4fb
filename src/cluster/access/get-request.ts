import type { ErrorResult } from "./failures.ts";
import { attemptRequest } from "./request.ts";
import type { BodyReader } from "./response-body.ts";
import type { ReadFailure } from "../../model/reader.ts";
import { type Attempt, withRetries } from "../../network/retry.ts";
import type { GetRequest } from "./transport.ts";

/** All that a reader can send: whatever the request holds besides, the method is GET and there is no body. */
export async function attemptGet<T>(
  { transport, path, signal, onProgress, accept = "application/json" }: GetRequest,
  consume: (body: BodyReader) => Promise<Attempt<T>>,
): Promise<Attempt<T | ErrorResult>> {
  await transport.pace.wait(signal);
  const acceptsGzip = transport.link.isSlow();
  return attemptRequest({ transport, path, signal, onProgress, accept, acceptsGzip, method: "GET" }, consume);
}

/** Tries again what may pass; `consume` reads each answer from its beginning. */
export function getWithRetries<T>(
  request: GetRequest,
  consume: (body: BodyReader) => Promise<Attempt<T>>,
): Promise<T | ErrorResult | ReadFailure> {
  return withRetries(() => attemptGet(request, consume), request.transport.clock, request.signal);
}
