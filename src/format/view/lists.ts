import { compareText } from "../../model/json.ts";
import type { Report } from "../../model/report.ts";
import { formatUnknown } from "../document/document-checks.ts";
import type { Item, Section } from "../text/page.ts";
import { formatAcceptanceProblem } from "./acceptances.ts";
import { getNotices } from "./outcome-contents.ts";
import { sortUnseen } from "./unknown-causes.ts";
import type { View } from "./view.ts";

/** What was not seen, and why, by check. */
export function listUnseen({ unseen }: Pick<Report, "unseen">): readonly Item[] {
  return sortUnseen(unseen).map(({ check, unknown }) => ({
    ...(check === undefined ? {} : { lead: check }),
    text: formatUnknown(unknown),
  }));
}

/** A notice, and the check that gave it. */
export type Notice = { readonly lead: string; readonly text: string };

export function listNotices({ checks }: Pick<Report, "checks">): readonly Notice[] {
  const sorted = checks.toSorted((a, b) => compareText(a.id, b.id));
  return sorted.flatMap(({ id, outcome }) => getNotices(outcome).map((text) => ({ lead: id, text })));
}

/** Acceptances that don't hold, and why. */
export function listLapsedAcceptances({ acceptances = [] }: Pick<View, "acceptances">): readonly Item[] {
  return acceptances.flatMap((one) => formatAcceptanceProblem(one) ?? []).map((text) => ({ text }));
}

/** A heading and its items; nothing if there are none. */
export function buildListSection(heading: string, items: readonly Item[], only?: Section["only"]): readonly Section[] {
  if (items.length === 0) return [];
  return [{ kind: "section", heading, ...(only === undefined ? {} : { only }), blocks: [{ kind: "list", items }] }];
}
