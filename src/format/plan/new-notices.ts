import type { Report } from "../../model/report.ts";
import { getNotices } from "../view/outcome-contents.ts";

export type CheckNotice = { readonly id: string; readonly notice: string };

/** The notices that earlier reports don't have, apart from the version of their target. */
export function selectNewNotices(report: Report, earlier: readonly Report[]): readonly CheckNotice[] {
  const known = new Set(earlier.flatMap((one) => listNotices(one).map((notice) => buildKey(notice, one))));
  return listNotices(report).filter((notice) => !known.has(buildKey(notice, report)));
}

function listNotices({ checks }: Report): readonly CheckNotice[] {
  return checks.flatMap(({ id, outcome }) => getNotices(outcome).map((notice) => ({ id, notice })));
}

function buildKey({ id, notice }: CheckNotice, { target }: Report): string {
  return `${id} ${notice.replaceAll(target.text, "")}`;
}
