import { appliesText, describeCheck, platformsText } from "../../src/cli/commands/list.ts";
import type { Check, RiskText } from "../../src/model/check.ts";
import { joinNames } from "../../src/model/names.ts";
import { code, table } from "./markdown.ts";

/** docs/checks.md: every check, its risks, what it reads. */
export function checksPage(heading: string, checks: readonly Check[]): string {
  const overview = table(
    ["check", "what it holds the cluster to", "speaks of", "runs on"],
    checks.map((check) => [`[${check.id}](#${check.id})`, check.title, appliesText(check.applies), runsOn(check)]),
  );
  return `${[
    `<!-- ${heading} -->`,
    "# Checks",
    overview,
    'A check that could not look is never clear: it then gives the risk that is named last, with "Unknown" at its end.',
    LIFTED,
    ...checks.map(section),
  ].join("\n\n")}\n`;
}

const LIFTED = [
  "Some risks say what the cluster-version operator of the running release lifts by itself, from 4.23 on, where the update leaves the",
  "minor (an alert: from 4.22 on, for every update). The runner then leaves these to it, and `check` shows them: see `--lifted` in",
  "[cli.md](cli.md).",
].join(" ");

function runsOn(check: Check): string {
  return `${platformsText(check)}${check.onRequest === undefined ? "" : " (only with `--only`)"}`;
}

/** The names that others have for a risk. */
function elsewhere({ published = [], liftedAs }: Pick<RiskText, "published" | "liftedAs">): string {
  const names = published.length === 0 ? "" : `. The update service calls it ${joinNames(published.map(code))}`;
  return `${names}${liftedAs === undefined ? "" : `. The operator lifts it as ${code(liftedAs)}`}`;
}

function section(check: Check): string {
  const { id, title, risks, unknownRisk, reads, readsKindsOfTarget, onRequest } = describeCheck(check);
  const followed = readsKindsOfTarget ? ["- the kinds that only the target names (`preflight rbac --target DIR`)"] : [];
  return [
    `## ${id}`,
    `${title}. [Why, how to see it by hand, how to fix it, how sure it is](../src/checks/${id}/README.md).`,
    table(
      ["risk", "what is wrong", "what to do"],
      [
        ...risks.map((risk) => [`[${risk.name}](${risk.url})`, `${risk.title}${elsewhere(risk)}`, risk.remediation]),
        [unknownRisk, "This check could not look.", "See at what, and why, in the risk's message."],
      ],
    ),
    ...(onRequest === undefined ? [] : [`Runs only where \`--only\` names it. ${onRequest}`]),
    "Reads:",
    [...reads.map((path) => `- ${code(path)}`), ...followed].join("\n"),
  ].join("\n\n");
}
