import {
  formatApplicability,
  describeCheck,
  formatPlatforms,
  formatRunsOnlyWith,
} from "../../src/cli/checks/check-metadata.ts";
import type { Check, KnownAs } from "../../src/model/check.ts";
import { joinNames } from "../../src/model/text.ts";
import { formatCode } from "../../src/format/text/markdown-text.ts";
import { formatPage, formatTable } from "../../verify/shared/markdown.ts";

/** docs/checks.md: every check, its risks, what it reads. */
export function formatChecksPage(heading: string, checks: readonly Check[]): string {
  const overview = formatTable(
    ["check", "verifies", "updates", "platforms"],
    checks.map((check) => [
      `[${check.id}](#${check.id})`,
      check.title,
      formatApplicability(check),
      formatRunsOn(check),
    ]),
  );
  return formatPage(
    heading,
    "# Checks",
    overview,
    'A check that could not be completed is never clear: it reports the risk named last, which ends with "Unknown".',
    OPERATOR_RISKS,
    ...checks.map(formatSection),
  );
}

const OPERATOR_RISKS = [
  "With the feature gate `ClusterUpdateAcceptRisks`, the running cluster-version operator reports some of these risks itself. The runner leaves",
  "a finding to the operator where ClusterVersion lists that risk as applying to the very update (`status.conditionalUpdates`), and a notice says",
  "where. `check` shows all of them: see `--lifted` in [cli.md](cli.md).",
].join(" ");

function formatRunsOn(check: Check): string {
  return `${formatPlatforms(check)}${formatRunsOnlyWith(check, formatCode)}`;
}

/** The update service's and the operator's names of a risk. */
function formatOtherNames({ published = [], liftedAs }: KnownAs): string {
  const names = published.length === 0 ? "" : `. The update service calls it ${joinNames(published.map(formatCode))}`;
  return `${names}${liftedAs === undefined ? "" : `. The operator reports it as ${formatCode(liftedAs)}`}`;
}

function formatSection(check: Check): string {
  const { id, title, risks, unknownRisk, reads, readsKindsOfTarget, onRequest, subject } = describeCheck(check);
  const followed = readsKindsOfTarget
    ? ["- objects of kinds that the target ships (`preflight rbac --target DIR` prints them)"]
    : [];
  return [
    `## ${id}`,
    `${title}. [Why it matters, how to see it by hand, how to fix it, how certain it is](../src/checks/${id}/README.md).`,
    formatTable(
      ["risk", "what is wrong", "what to do"],
      [
        ...risks.map((risk) => [
          `[${risk.name}](${risk.url})`,
          `${risk.title}${formatOtherNames(risk)}`,
          risk.remediation,
        ]),
        [unknownRisk, "This check could not be completed.", "The risk's message names the objects and the reasons."],
      ],
    ),
    ...(onRequest === undefined ? [] : [`Runs only if \`--only\` names it. ${onRequest}`]),
    ...(subject === undefined
      ? []
      : ["Runs only on a management cluster, for [a hosted cluster](hosted-management.md)."]),
    "Reads:",
    [...reads.map((path) => `- ${formatCode(path)}`), ...followed].join("\n"),
  ].join("\n\n");
}
