import { LINEAR, type Page, type PageDecision, type PageEntry, SCREEN, type Section, TERMINAL } from "../text/page.ts";

type EntryPage = {
  readonly title: readonly [from: string, to: string];
  readonly summary: string;
  readonly lines: readonly string[];
  readonly decision: PageDecision;
  readonly sections: readonly (readonly [heading: string, entries: readonly PageEntry[]])[];
  readonly verdict: string;
};

/** A page about how one state differs from another. Sections without an entry are left out. */
export function buildEntryPage({ title, summary, lines, sections, verdict, ...page }: EntryPage): Page {
  return {
    ...page,
    title,
    headline: { only: LINEAR, text: `${title.join(" -> ")}: ${summary}` },
    lines: lines.map((text) => ({ text, only: SCREEN })),
    blocks: [
      { kind: "list", only: ["markdown"], items: lines.map((text) => ({ text })) },
      ...sections.flatMap(([heading, entries], i): readonly Section[] =>
        entries.length === 0
          ? []
          : [{ kind: "section", heading, anchor: `part-${i + 1}`, blocks: [{ kind: "entries", entries }] }],
      ),
      { kind: "text", only: `${page.decision.words}.` === verdict ? TERMINAL : LINEAR, text: verdict },
    ],
  };
}

/** "no risk in either" as a sentence. */
export function toSentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}
