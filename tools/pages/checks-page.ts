import { describeCheck } from "../../src/cli/commands/list.ts";
import type { Check } from "../../src/model/check.ts";
import { code, table } from "./markdown.ts";

/** docs/checks.md: every check, its risks, what it reads. */
export function checksPage(heading: string, checks: readonly Check[]): string {
  const overview = table(
    ["check", "what it holds the cluster to", "speaks of"],
    checks.map(describeCheck).map(({ id, title, applies }) => [`[${id}](#${id})`, title, applies]),
  );
  return `${[
    `<!-- ${heading} -->`,
    "# Checks",
    overview,
    'A check that could not look is never clear: it then gives the risk that is named last, with "Unknown" at its end.',
    ...checks.map(section),
  ].join("\n\n")}\n`;
}

function section(check: Check): string {
  const { id, title, risks, unknownRisk, reads, readsKindsOfTarget } = describeCheck(check);
  const followed = readsKindsOfTarget ? ["- the kinds that only the target names (`preflight rbac --target DIR`)"] : [];
  return [
    `## ${id}`,
    `${title}. [Why, how to see it by hand, how to fix it, how sure it is](../src/checks/${id}/README.md).`,
    table(
      ["risk", "what is wrong", "what to do"],
      [
        ...risks.map(({ name, title: wrong, remediation, url }) => [`[${name}](${url})`, wrong, remediation]),
        [unknownRisk, "This check could not look.", "See at what, and why, in the risk's message."],
      ],
    ),
    "Reads:",
    [...reads.map((path) => `- ${code(path)}`), ...followed].join("\n"),
  ].join("\n\n");
}
