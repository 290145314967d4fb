import type { JsonObject } from "../../model/json.ts";
import type { Absence } from "../../model/read.ts";
import type { ListSummary, ReadFailure, Visitor } from "../../model/reader.ts";
import {
  type ErrorResult,
  buildFailure,
  buildTooLargeFailure,
  getPathname,
  toReadFailure,
} from "../access/failures.ts";
import { attemptGet } from "../access/get-request.ts";
import type { GetRequest } from "../access/transport.ts";
import { FIRST_PAGE_LIMIT, MAX_PAGE_LIMIT, MAX_PAGE_BYTES, MAX_RESTARTS, PREFERRED_PAGE_BYTES } from "./limits.ts";
import { type ListPage, type PageResult, readPage } from "./list-page.ts";
import { withRetries } from "../access/retry.ts";

/**
 * Reads all objects of a kind, page by page. Where the API server forgets the state of the first page before the last (410), it
 * begins again, at most three times; it then fails rather than ask for all at once, which would strain a busy server.
 */
export async function listObjects(
  request: GetRequest,
  begin: () => Visitor,
): Promise<ListSummary | Absence | ReadFailure> {
  for (let restart = 0; restart <= MAX_RESTARTS; restart++) {
    const outcome = await attemptList(request, begin);
    if (outcome.kind === "listed") return outcome;
    if (outcome.kind !== "expired") return toReadFailure(outcome);
  }
  return buildFailure(
    "ServerError",
    `${getPathname(request)} can't be listed: the API server forgot each list's state before its end (410)`,
  );
}

type ObjectListResult = ListSummary | ErrorResult;

async function attemptList(request: GetRequest, begin: () => Visitor): Promise<ObjectListResult> {
  let limit = FIRST_PAGE_LIMIT;
  let continueToken = "";
  let visit = begin();
  // Of the page that is to be read: how many of its objects an attempt that broke has visited already.
  let visitedCount = 0;
  let [objects, bytes] = [0, 0];
  for (;;) {
    const page = await withRetries(() => attemptPage(), request.transport.clock, request.signal);
    if (page.kind === "overfull") {
      if (page.objects > limit || limit === 1) return buildTooLargeFailure(request, "A page", MAX_PAGE_BYTES);
      limit = Math.max(1, Math.min(limit >> 2, page.objects >> 1));
      continue;
    }
    if (page.kind !== "page") return page;
    objects += page.objects;
    bytes += page.bytes;
    if (page.continue === "") return { kind: "listed", objects, bytes };
    visitedCount = Math.max(0, visitedCount - page.objects);
    limit = computeNextLimit(limit, page);
    continueToken = page.continue;
  }

  /** The first page is of the state at that moment, so another try may see another; later pages are of the first one's. */
  function attemptPage(): ReturnType<typeof attemptGet<PageResult>> {
    if (continueToken === "" && visitedCount > 0) [visit, visitedCount] = [begin(), 0];
    let index = 0;
    const visitNew = (object: JsonObject): void => {
      if (++index <= visitedCount) return;
      visitedCount = index;
      visit(object);
    };
    const path = `${request.path}?limit=${limit}${continueToken === "" ? "" : `&continue=${encodeURIComponent(continueToken)}`}`;
    const pageRequest = { ...request, path };
    return attemptGet(pageRequest, (body) => readPage(pageRequest, body, visitNew));
  }
}

/** As many objects as fill a page of the wanted size, by what they have come to so far, at most doubled at a time. */
function computeNextLimit(limit: number, page: ListPage): number {
  if (page.objects === 0) return limit;
  const fittingCount = Math.floor((PREFERRED_PAGE_BYTES * page.objects) / page.bytes);
  return Math.max(1, Math.min(fittingCount, limit * 2, MAX_PAGE_LIMIT));
}
