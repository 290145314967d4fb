import type { JsonObject } from "../../model/json.ts";
import type { ListSummary, ReadFailure, Visitor } from "../../model/reader.ts";
import { withRetries } from "../../network/retry.ts";
import { type ErrorResult, type NotFound, buildFailure, getPathname, toReadFailure } from "../access/failures.ts";
import { attemptGet } from "../access/get-request.ts";
import { type ListEvidence, createListEvidence } from "../access/list-evidence.ts";
import type { GetRequest } from "../access/transport.ts";
import { type ListPage, type ListRequest, type PageResult, buildPageTooLargeFailure, readPage } from "./list-page.ts";

/** How often a list starts over after the API server forgot the state that it began with. */
const MAX_RESTARTS = 3;

/**
 * Reads all objects of a kind, page by page. If the continue token expires (410), it starts over, at most three times; it then fails
 * rather than request all objects at once, which would strain a busy server.
 */
export async function listObjects(
  request: ListRequest,
  begin: () => Visitor,
): Promise<ListSummary | NotFound | ReadFailure> {
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

/** `vanished`: a 404 after the API server had begun to send the list. Only a list's first response may mean that a kind is absent. */
type ObjectListResult = ListSummary | ErrorResult | { readonly kind: "vanished"; readonly message: string };

function buildVanishedFailure(request: GetRequest, message: string): ReadFailure {
  return buildFailure(
    "ServerError",
    `${getPathname(request)} disappeared while it was listed, twice: ${message} (404)`,
  );
}

function buildPageRequest(request: ListRequest, limit: number, continueToken: string): ListRequest {
  const query = new URLSearchParams({
    limit: `${limit}`,
    ...(continueToken === "" ? {} : { continue: continueToken }),
    ...(request.labelSelector === undefined ? {} : { labelSelector: request.labelSelector }),
  });
  return { ...request, path: `${request.path}?${query.toString()}` };
}

function openEvidence(request: ListRequest): ListEvidence {
  return createListEvidence({ ...request, subject: `${getPathname(request)} was answered` });
}

async function attemptList(request: ListRequest, begin: () => Visitor): Promise<ObjectListResult> {
  let limit = FIRST_PAGE_LIMIT;
  let continueToken = "";
  let visit = begin();
  let evidence = openEvidence(request);
  // How many objects of the current page an earlier, broken attempt has visited.
  let visitedCount = 0;
  let objects = 0;
  let bytes = 0;
  let largestBytes = 0;
  let isServed = false;
  for (;;) {
    const page = await withRetries(attemptPage, request.transport.clock, request.signal);
    if (page.kind === "overfull") {
      if (page.objects > limit || limit === 1) return buildPageTooLargeFailure(request);
      limit = Math.max(1, Math.min(limit >> 2, page.objects >> 1));
      continue;
    }
    if (page.kind === "absent" && isServed) return { kind: "vanished", message: page.message };
    if (page.kind !== "page") return page;
    objects += page.objects;
    bytes += page.bytes;
    largestBytes = Math.max(largestBytes, page.largestBytes);
    if (page.continue === "") return { kind: "listed", objects, bytes, version: page.version };
    visitedCount = Math.max(0, visitedCount - page.objects);
    limit = computeNextLimit(limit, page, largestBytes, request);
    continueToken = page.continue;
  }

  /** A new try of the first page may see another state, so the list starts over; later pages belong to the first one's state. */
  async function attemptPage(): ReturnType<typeof attemptGet<PageResult>> {
    if (continueToken === "" && visitedCount > 0) [visit, evidence, visitedCount] = [begin(), openEvidence(request), 0];
    let index = 0;
    const visitNew = (object: JsonObject): ReadFailure | undefined => {
      if (++index <= visitedCount) return undefined;
      visitedCount = index;
      const failure = evidence.addItem(object);
      if (failure === undefined) visit(object);
      return failure;
    };
    const pageRequest = buildPageRequest(request, limit, continueToken);
    const attempt = await attemptGet(pageRequest, (body) => {
      isServed = true;
      return readPage(pageRequest, body, visitNew, evidence.endPage);
    });
    if (attempt.kind === "retry") limit = reduceLimit(limit);
    return attempt;
  }
}

/** The size that pages are steered to: it bounds what the API server has to hold for us. */
const PREFERRED_PAGE_BYTES = 4 << 20;
/** What a page may take if each of its objects turns out as large as the largest so far. */
const WORST_PAGE_BYTES = 64 << 20;
/** As many objects as kubectl requests at a time, whatever their size. */
const MODEST_LIMIT = 500;

/** The size of the objects on the first page is not known yet. */
const FIRST_PAGE_LIMIT = 250;

/**
 * As many objects as fill a page of the preferred size, by the average of the last page, at most doubled at a time. Thousands only
 * where all objects are small: a few large ones among them show that many more may follow.
 */
function computeNextLimit(limit: number, page: ListPage, largestBytes: number, request: ListRequest): number {
  if (page.objects === 0) return limit;
  const fittingCount = Math.floor((PREFERRED_PAGE_BYTES * page.objects) / page.bytes);
  const safeCount = isPartial(request) ? MODEST_LIMIT : Math.floor(WORST_PAGE_BYTES / largestBytes);
  return Math.max(1, Math.min(fittingCount, limit * 2, Math.max(safeCount, MODEST_LIMIT)));
}

/** An API server that failed is asked for less. */
function reduceLimit(limit: number): number {
  return Math.max(1, limit >> 1);
}

/** The API server reads whole objects to list metadata or labelled objects: the bytes of such a page say little about its work. */
function isPartial({ part, labelSelector }: ListRequest): boolean {
  return part === "metadata" || labelSelector !== undefined;
}
