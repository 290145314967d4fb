import type { Report } from "../../model/report.ts";
import { type Notice, listNotices } from "../view/lists.ts";

/** The notices that earlier reports don't have, apart from the version of their target. */
export function selectNewNotices(report: Report, earlier: readonly Report[]): readonly Notice[] {
  const known = new Set(earlier.flatMap((one) => listNotices(one).map((notice) => buildKey(notice, one))));
  return listNotices(report).filter((notice) => !known.has(buildKey(notice, report)));
}

function buildKey({ lead, text }: Notice, { target }: Report): string {
  return `${lead} ${text.replaceAll(target.text, "")}`;
}
