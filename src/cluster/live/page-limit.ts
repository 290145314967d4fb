import type { ListPage, ListRequest } from "./list-page.ts";

/** The size that pages are steered to: it bounds what the API server has to hold for us. */
const PREFERRED_PAGE_BYTES = 4 << 20;
/** What a page may take if each of its objects turns out as large as the largest so far. */
const WORST_PAGE_BYTES = 64 << 20;
/** As many objects as kubectl requests at a time, whatever their size. */
const MODEST_LIMIT = 500;

/** The size of the objects on the first page is not known yet. */
export const FIRST_PAGE_LIMIT = 250;

/**
 * As many objects as fill a page of the preferred size, by the average of the last page, at most doubled at a time. Thousands only
 * where all objects are small: a few large ones among them show that many more may follow.
 */
export function computeNextLimit(limit: number, page: ListPage, largestBytes: number, request: ListRequest): number {
  if (page.objects === 0) return limit;
  const fittingCount = Math.floor((PREFERRED_PAGE_BYTES * page.objects) / page.bytes);
  const safeCount = isPartial(request) ? MODEST_LIMIT : Math.floor(WORST_PAGE_BYTES / largestBytes);
  return Math.max(1, Math.min(fittingCount, limit * 2, Math.max(safeCount, MODEST_LIMIT)));
}

/** An API server that failed is asked for less. */
export function reduceLimit(limit: number): number {
  return Math.max(1, limit >> 1);
}

/** The API server reads whole objects to list metadata or labelled objects: the bytes of such a page say little about its work. */
function isPartial({ part, labelSelector }: ListRequest): boolean {
  return part === "metadata" || labelSelector !== undefined;
}
