import { formatTable } from "../shared/markdown.ts";
import type { Day, DayStep } from "./play.ts";

export function formatDay({ lines, steps, lastLines, lastCode }: Day): string {
  const sum = (count: (step: DayStep) => number): number => steps.reduce((total, step) => total + count(step), 0);
  const looks = steps.flatMap(({ lookLines, isSecondLook }) => (isSecondLook ? [lookLines] : []));
  const cards = sum(({ cardLines }) => cardLines);
  const all = lines + cards + sum(({ lookLines }) => lookLines) + lastLines;
  const rows = steps.map(({ risk, what, done, cardLines, lookLines, state }) => [
    `\`${risk}\`: ${what}`,
    done.map((one) => `\`${one}\``).join(", "),
    cardLines === 0 ? "" : String(cardLines),
    state,
    String(lookLines),
  ]);
  return [
    `The first screen has ${lines} lines for ${steps.length} risks. The second looks have ${Math.max(...looks)} lines at first and ${Math.min(...looks)} in the end, and the last one at everything has ${lastLines} and ends with ${lastCode}. With ${cards} lines of \`-o wide\`, ${all} lines were read in sum.`,
    formatTable(
      ["the fault", "what was done, as it was printed", "lines of `-o wide`", "then it was", "lines of that look"],
      rows,
    ),
  ].join("\n\n");
}
