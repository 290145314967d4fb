import type { JsonObject } from "../model/json.ts";
import type { Absent } from "../model/read.ts";
import type { ListDone, ReadFailure, Visitor } from "../model/reader.ts";
import { type Request, exchange, pathOf, tooLarge } from "./exchange.ts";
import { failed } from "./failures.ts";
import { FIRST_LIMIT, LARGEST_LIMIT, LARGEST_PAGE, RESTARTS, WANTED_PAGE } from "./limits.ts";
import { type Page, type PageRead, readPage } from "./page.ts";
import { withRetries } from "./retry.ts";

/**
 * Reads all objects of a kind, page by page. Where the API server forgets the state of the first page before the last (410), it
 * begins again, at most three times; it then fails rather than ask for all at once, which would strain a busy server.
 */
export async function listObjects(request: Request, begin: () => Visitor): Promise<ListDone | Absent | ReadFailure> {
  for (let restart = 0; restart <= RESTARTS; restart++) {
    const outcome = await listOnce(request, begin);
    if (outcome.kind !== "gone") return outcome;
  }
  return failed(
    "ServerError",
    `${pathOf(request)} can't be listed: the API server forgot each list's state before its end (410)`,
  );
}

type Outcome = ListDone | Absent | ReadFailure | { readonly kind: "gone" };

async function listOnce(request: Request, begin: () => Visitor): Promise<Outcome> {
  let limit = FIRST_LIMIT;
  let token = "";
  let visit = begin();
  // Of the page that is to be read: how many of its objects an attempt that broke has visited already.
  let ahead = 0;
  let [objects, bytes] = [0, 0];
  for (;;) {
    const page = await withRetries(() => attempt(), request.line.clock, request.signal);
    if (page.kind === "overfull") {
      if (page.objects > limit || limit === 1) return tooLarge(request, "A page", LARGEST_PAGE);
      limit = Math.max(1, Math.min(limit >> 2, page.objects >> 1));
      continue;
    }
    if (page.kind !== "page") return page;
    objects += page.objects;
    bytes += page.bytes;
    if (page.continue === "") return { kind: "listed", objects, bytes };
    ahead = Math.max(0, ahead - page.objects);
    limit = nextLimit(limit, page);
    token = page.continue;
  }

  /** The first page is of the state at that moment, so another try may see another; later pages are of the first one's. */
  function attempt(): ReturnType<typeof exchange<PageRead>> {
    if (token === "" && ahead > 0) [visit, ahead] = [begin(), 0];
    let index = 0;
    const visitNew = (object: JsonObject): void => {
      if (++index <= ahead) return;
      ahead = index;
      visit(object);
    };
    const path = `${request.path}?limit=${limit}${token === "" ? "" : `&continue=${encodeURIComponent(token)}`}`;
    const paged = { ...request, path };
    return exchange(paged, (body) => readPage(paged, body, visitNew));
  }
}

/** As many objects as fill a page of the wanted size, by what they have come to so far, at most doubled at a time. */
function nextLimit(limit: number, page: Page): number {
  if (page.objects === 0) return limit;
  const fitting = Math.floor((WANTED_PAGE * page.objects) / page.bytes);
  return Math.max(1, Math.min(fitting, limit * 2, LARGEST_LIMIT));
}
