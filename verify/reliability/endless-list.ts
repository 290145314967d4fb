import { type JsonObject, objectAt } from "../../src/model/json.ts";
import { sendJson } from "../api-server/api-responses.ts";
import type { Exchange } from "./fault-server.ts";

/** A list without a last page: each has `size` other objects like the list's first, changed, and names a next one. */
export function createEndlessList(size: number, change: JsonObject = {}): (exchange: Exchange) => void {
  let sent = 0;
  let first: JsonObject | undefined;
  return ({ response, list }) => {
    // The server has no list of a page that it never named.
    first ??= objectAt(list, "items", 0);
    const items = Array.from({ length: size }, () => ({
      ...first,
      ...change,
      metadata: { ...objectAt(first, "metadata"), name: `object-${(sent += 1)}` },
    }));
    sendJson(response, { ...list, metadata: { continue: String(sent) }, items });
  };
}
