import { type Page, type PageEntry, SCREEN, type Section } from "../text/page.ts";

type EntryPage = {
  readonly title: readonly [from: string, to: string];
  readonly summary: string;
  readonly lines: readonly string[];
  readonly sections: readonly (readonly [heading: string, entries: readonly PageEntry[]])[];
  readonly verdict: string;
};

/** A page about how one state differs from another. Sections without an entry are left out. */
export function buildEntryPage({ title, summary, lines, sections, verdict }: EntryPage): Page {
  return {
    title,
    headline: { text: `${title.join(" -> ")}: ${summary}` },
    lines: lines.map((text) => ({ text, only: SCREEN })),
    blocks: [
      { kind: "list", only: ["markdown"], items: lines.map((text) => ({ text })) },
      ...sections.flatMap(([heading, entries]): readonly Section[] =>
        entries.length === 0 ? [] : [{ kind: "section", heading, blocks: [{ kind: "entries", entries }] }],
      ),
      { kind: "text", text: verdict },
    ],
  };
}
