import { KNOWN_BUGS } from "../../src/checks/known-bugs/check.ts";
import type { KnownBug } from "../../src/checks/known-bugs/known-bug.ts";
import { OTHER_NAMES } from "../../src/checks/known-bugs/published-names.ts";
import type { Check } from "../../src/model/check.ts";
import { compareText } from "../../src/model/json.ts";
import { formatCode } from "../../src/format/text/markdown-text.ts";
import { formatPage, formatTable } from "../../verify/shared/markdown.ts";

export type NameVerdict = "confirmed" | "possible" | "announced";

/** How the checks cover a name that the update service has published. */
export type CoveredName = {
  readonly name: string;
  readonly verdict: NameVerdict;
  readonly explanation: string;
  readonly url: string;
};

/** Every published name once, with the check that covers it with the surest verdict. */
export function collectPublishedNames(checks: readonly Check[], bugs = KNOWN_BUGS): readonly CoveredName[] {
  const all = [...collectFromRisks(checks), ...collectFromNotices(bugs), ...collectFromOthers()];
  const names = [...new Set(all.map(({ name }) => name))].toSorted(compareText);
  return names.flatMap((name) => selectSurest(all.filter((account) => account.name === name)));
}

function selectSurest(accounts: readonly CoveredName[]): readonly CoveredName[] {
  const confirmed = accounts.filter(({ verdict }) => verdict === "confirmed");
  return (confirmed.length > 0 ? confirmed : accounts).slice(0, 1);
}

function collectFromRisks(checks: readonly Check[]): readonly CoveredName[] {
  return checks.flatMap((check) =>
    check.risks.flatMap((risk) =>
      (risk.knownAs?.published ?? []).map((name) => ({
        name,
        verdict: "confirmed" as const,
        explanation: `${formatCode(risk.name)} of ${formatCheckLink(check.id)}`,
        url: risk.url,
      })),
    ),
  );
}

function collectFromNotices(bugs: readonly KnownBug[]): readonly CoveredName[] {
  return bugs
    .filter(({ certainty }) => certainty === "notice")
    .flatMap(({ published, title, url, findings }) =>
      published.map((name) => ({
        name,
        verdict: findings === undefined ? ("announced" as const) : ("possible" as const),
        explanation: `a notice of ${formatCheckLink("known-bugs")}: ${title}`,
        url,
      })),
    );
}

function collectFromOthers(): readonly CoveredName[] {
  return OTHER_NAMES.map(({ name, check, url }) => ({
    name,
    verdict: "possible",
    explanation: `a notice of ${formatCheckLink(check)}`,
    url,
  }));
}

function formatCheckLink(check: string): string {
  return `[${check}](checks.md#${check})`;
}

const VERDICTS: readonly (readonly [verdict: NameVerdict, meaning: string])[] = [
  ["confirmed", "A risk if the cluster meets the bug's preconditions; nothing if it doesn't."],
  [
    "possible",
    "A notice for clusters that may be affected, with what to examine: the API shows only a part of the preconditions.",
  ],
  ["announced", "A notice for every cluster, with what to examine: the API shows none of the preconditions."],
];

/** docs/known-risks.md: how the checks cover each name that the update service has published. */
export function formatPublishedPage(heading: string, checks: readonly Check[]): string {
  const accounts = collectPublishedNames(checks);
  return formatPage(
    heading,
    "# The update service's risks",
    `OpenShift's update service has published ${accounts.length} names of conditional risks. This page lists the check that covers each, from what the cluster's API shows. For targets in its range, every name is confirmed, possible, or announced.`,
    formatTable(
      ["verdict", "names", "meaning"],
      VERDICTS.map(([verdict, meaning]) => [
        verdict,
        String(accounts.filter((one) => one.verdict === verdict).length),
        meaning,
      ]),
    ),
    "Where the notice of a possible or announced name comes, it can't rule out the risk that is published: the cluster-version operator's evaluation then decides. Without one, the check conditional-updates reports a risk that is published for every cluster, and any other makes it unknown.",
    "The risks of preflight have other names, so that accepting a published risk never accepts one of preflight's.",
    formatTable(
      ["published name", "verdict", "check"],
      accounts.map(({ name, verdict, explanation, url }) => [`[${name}](${url})`, verdict, explanation]),
    ),
  );
}
