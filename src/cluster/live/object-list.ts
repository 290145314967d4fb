import type { JsonObject } from "../../model/json.ts";
import type { Absence } from "../../model/read.ts";
import type { ListSummary, ReadFailure, Visitor } from "../../model/reader.ts";
import { type ErrorResult, buildFailure, getPathname, toReadFailure } from "../access/failures.ts";
import { attemptGet } from "../access/get-request.ts";
import type { GetRequest } from "../access/transport.ts";
import { buildPageTooLargeFailure, type ListPage, type ListRequest, type PageResult, readPage } from "./list-page.ts";
import { withRetries } from "../../network/retry.ts";

/** The size that pages are steered to: it bounds what the API server has to hold for us. */
const PREFERRED_PAGE_BYTES = 4 << 20;
const FIRST_PAGE_LIMIT = 250;
const MAX_PAGE_LIMIT = 500;

/** How often a list starts over after the API server forgot the state that it began with. */
const MAX_RESTARTS = 3;

/**
 * Reads all objects of a kind, page by page. If the continue token expires (410), it starts over, at most three times; it then fails
 * rather than request all objects at once, which would strain a busy server.
 */
export async function listObjects(
  request: ListRequest,
  begin: () => Visitor,
): Promise<ListSummary | Absence | ReadFailure> {
  let vanishedCount = 0;
  for (let restart = 0; restart <= MAX_RESTARTS; restart++) {
    const outcome = await attemptList(request, begin);
    if (outcome.kind === "listed") return outcome;
    if (outcome.kind === "vanished" && ++vanishedCount > 1) return buildVanishedFailure(request, outcome.message);
    if (outcome.kind !== "expired" && outcome.kind !== "vanished") return toReadFailure(outcome);
  }
  return buildFailure(
    "ServerError",
    `${getPathname(request)} can't be listed: the continue token expired each time before the last page (410)`,
  );
}

/** `vanished`: a 404 after the API server had begun to send the list. Only a list's first response shows that a kind is absent. */
type ObjectListResult = ListSummary | ErrorResult | { readonly kind: "vanished"; readonly message: string };

function buildVanishedFailure(request: GetRequest, message: string): ReadFailure {
  return buildFailure(
    "ServerError",
    `${getPathname(request)} disappeared while it was listed, twice: ${message} (404)`,
  );
}

async function attemptList(request: ListRequest, begin: () => Visitor): Promise<ObjectListResult> {
  let limit = FIRST_PAGE_LIMIT;
  let continueToken = "";
  let visit = begin();
  // How many objects of the current page an earlier, broken attempt has visited.
  let visitedCount = 0;
  let [objects, bytes] = [0, 0];
  let isServed = false;
  for (;;) {
    const page = await withRetries(() => attemptPage(), request.transport.clock, request.signal);
    if (page.kind === "overfull") {
      if (page.objects > limit || limit === 1) return buildPageTooLargeFailure(request);
      limit = Math.max(1, Math.min(limit >> 2, page.objects >> 1));
      continue;
    }
    if (page.kind === "absent" && isServed) return { kind: "vanished", message: page.message };
    if (page.kind !== "page") return page;
    objects += page.objects;
    bytes += page.bytes;
    if (page.continue === "") return { kind: "listed", objects, bytes };
    visitedCount = Math.max(0, visitedCount - page.objects);
    limit = computeNextLimit(limit, page);
    continueToken = page.continue;
  }

  /** A new try of the first page may see another state, so the list starts over; later pages belong to the first one's state. */
  function attemptPage(): ReturnType<typeof attemptGet<PageResult>> {
    if (continueToken === "" && visitedCount > 0) [visit, visitedCount] = [begin(), 0];
    let index = 0;
    const visitNew = (object: JsonObject): void => {
      if (++index <= visitedCount) return;
      visitedCount = index;
      visit(object);
    };
    const query = new URLSearchParams({
      limit: `${limit}`,
      ...(continueToken === "" ? {} : { continue: continueToken }),
      ...(request.labelSelector === undefined ? {} : { labelSelector: request.labelSelector }),
    });
    const path = `${request.path}?${query.toString()}`;
    const pageRequest = { ...request, path };
    return attemptGet(pageRequest, (body) => {
      isServed = true;
      return readPage(pageRequest, body, visitNew);
    });
  }
}

/** As many objects as fill a page of the preferred size, by the average of the last page, at most doubled at a time. */
function computeNextLimit(limit: number, page: ListPage): number {
  if (page.objects === 0) return limit;
  const fittingCount = Math.floor((PREFERRED_PAGE_BYTES * page.objects) / page.bytes);
  return Math.max(1, Math.min(fittingCount, limit * 2, MAX_PAGE_LIMIT));
}
