import type { JsonObject } from "../../model/json.ts";
import type { ListSummary, ReadFailure, Visitor } from "../../model/reader.ts";
import { type ErrorResult, buildFailure, getPathname, type NotFound, toReadFailure } from "../access/failures.ts";
import { attemptGet } from "../access/get-request.ts";
import { createListEvidence, type ListEvidence } from "../access/list-evidence.ts";
import type { GetRequest } from "../access/transport.ts";
import { buildPageTooLargeFailure, type ListRequest, type PageResult, readPage } from "./list-page.ts";
import { computeNextLimit, FIRST_PAGE_LIMIT, reduceLimit } from "./page-limit.ts";
import { withRetries } from "../../network/retry.ts";

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
