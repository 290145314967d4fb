import type { Page } from "./pages.ts";

const MOST_WORDS = 100;
const POINTS = ["Why", "Weighed", "Revisit if"];

/** A record without a reason, with a point of its own or in another order, or with a paragraph that is no short one. */
export function findDecisionFaults({ path, text }: Page): readonly string[] {
  const sections = text.split(/^(?=#{1,3} )/m).filter((section) => section.startsWith("#"));
  return sections.flatMap((section, i) => {
    const [heading = "", ...lines] = section.trimEnd().split("\n");
    const isGroup = getLevel(sections[i + 1]) > getLevel(section);
    const long = lines.filter((line) => !line.startsWith("|") && line.split(/\s+/).length > MOST_WORDS);
    const faults = [
      ...(isGroup ? [] : findPointFaults(lines.slice(lines.lastIndexOf("")))),
      ...long.map((line) => `more than ${MOST_WORDS} words: ${line.slice(0, 40)}`),
    ];
    return faults.map((fault) => `${path}, ${heading}: ${fault}`);
  });
}

function getLevel(section = ""): number {
  return section.search(/[^#]/);
}

function findPointFaults(lines: readonly string[]): readonly string[] {
  const points = lines.flatMap((line) => /^- ([A-Z][\w ]*): /.exec(line)?.[1] ?? []);
  const expected = POINTS.filter((point) => points.includes(point));
  if (!points.includes("Why")) return ["it has no reason"];
  return points.join() === expected.join() ? [] : [`its points are ${points.join(", ")}`];
}
