import { type Block, type Card, isShown, type Section } from "../page.ts";
import { formatHeading } from "./parts.ts";

/** The way to a part of the page, and how much is there. */
export function formatTile(block: Block): readonly string[] {
  if (block.kind !== "section" || !isShown(block, "html")) return [];
  const { tone, anchor = tone, heading } = block;
  if (anchor === undefined) return [];
  const cards = listCards(block.blocks).filter((card) => card.tone !== "accepted" || tone === "accepted");
  const own = tone ?? cards[0]?.tone;
  const count = cards.length > 0 ? cards.length : countEntries(block);
  return [
    `<li><a class="tile${own === undefined ? "" : ` ${own}`}" href="#${anchor}"><b>${count}</b> ${formatHeading(heading)}</a></li>`,
  ];
}

/** The cards of a section, and the entries of its lists; none if it has more than one kind of part. */
export function countEntries({ blocks }: Section): number {
  const own = blocks.filter((block) => isShown(block, "html"));
  if (own.some((block) => block.kind === "section" || (block.kind === "list" && block.isToDo))) return 0;
  const counts = own.map((block) => {
    if (block.kind === "entries") return block.entries.length;
    if (block.kind === "list") return block.items.length;
    return Number(block.kind === "card");
  });
  return counts.reduce((sum, count) => sum + count, 0);
}

/** Those of its sections too. */
export function listCards(blocks: readonly Block[]): readonly Card[] {
  return blocks.flatMap((block) => {
    if (!isShown(block, "html")) return [];
    if (block.kind === "card") return [block];
    return "blocks" in block ? listCards(block.blocks) : [];
  });
}
