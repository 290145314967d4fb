import type { Outcome } from "./campaign.ts";

export type PageRow = Outcome & { readonly date: string };

/** docs/design/fuzzing.md */
export function formatPage(rows: readonly PageRow[]): string {
  return rows.map(({ target }) => target).join("\n");
}
