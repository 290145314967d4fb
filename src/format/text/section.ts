import type { View } from "../view/view.ts";
import { createPainter } from "./painter.ts";

/** A heading and its blocks, with a blank line between them; nothing if there are none. */
export function formatSection(
  heading: string,
  blocks: readonly (readonly string[])[],
  { colour }: Pick<View, "colour">,
): readonly string[] {
  if (blocks.length === 0) return [];
  return [createPainter(colour).bold(heading), ...blocks.flatMap((block) => ["", ...block])];
}
