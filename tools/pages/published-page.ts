import { KNOWN_BUGS } from "../../src/checks/known-bugs/bugs.ts";
import { OTHER_NAMES } from "../../src/checks/known-bugs/published-names.ts";
import type { Check } from "../../src/model/check.ts";
import { compareText } from "../../src/model/json.ts";
import { formatCode, formatTable } from "./markdown.ts";

export type Decidability = "decided" | "narrowed" | "told";

/** How the checks cover a name that the update service has published. */
export type PublishedRisk = {
  readonly name: string;
  readonly decidability: Decidability;
  readonly explanation: string;
  readonly url: string;
};

/** Every published name once, with the check that covers it with the most certainty. */
export function collectPublishedNames(checks: readonly Check[]): readonly PublishedRisk[] {
  const all = [...collectFromRisks(checks), ...collectFromNotices(), ...collectFromOthers()];
  const names = [...new Set(all.map(({ name }) => name))].toSorted(compareText);
  return names.flatMap((name) => selectSurest(all.filter((account) => account.name === name)));
}

function selectSurest(accounts: readonly PublishedRisk[]): readonly PublishedRisk[] {
  const decided = accounts.filter(({ decidability }) => decidability === "decided");
  return (decided.length > 0 ? decided : accounts).slice(0, 1);
}

function collectFromRisks(checks: readonly Check[]): readonly PublishedRisk[] {
  return checks.flatMap((check) =>
    check.risks.flatMap((risk) =>
      (risk.knownAs?.published ?? []).map((name) => ({
        name,
        decidability: "decided" as const,
        explanation: `${formatCode(risk.name)} of ${formatCheckLink(check.id)}`,
        url: risk.url,
      })),
    ),
  );
}

function collectFromNotices(): readonly PublishedRisk[] {
  return KNOWN_BUGS.filter(({ certainty }) => certainty === "notice").flatMap(({ published, title, url, when }) =>
    published.map((name) => ({
      name,
      decidability: "always" in when ? ("told" as const) : ("narrowed" as const),
      explanation: `a notice of ${formatCheckLink("known-bugs")}: ${title}`,
      url,
    })),
  );
}

function collectFromOthers(): readonly PublishedRisk[] {
  return OTHER_NAMES.map(({ name, check, url }) => ({
    name,
    decidability: "narrowed",
    explanation: `a notice of ${formatCheckLink(check)}`,
    url,
  }));
}

function formatCheckLink(check: string): string {
  return `[${check}](checks.md#${check})`;
}

/** docs/known-risks.md: how the checks cover each name that the update service has published. */
export function formatPublishedPage(heading: string, checks: readonly Check[]): string {
  const accounts = collectPublishedNames(checks);
  const count = (verdict: Decidability): string =>
    String(accounts.filter((account) => account.decidability === verdict).length);
  return `${[
    `<!-- ${heading} -->`,
    "# The update service's risks",
    `OpenShift's update service has published ${accounts.length} names of conditional risks. This page lists the check that covers each, from what the cluster's API shows. For targets in its range, every name is decided, narrowed or told.`,
    formatTable(
      ["verdict", "names", "meaning"],
      [
        ["decided", count("decided"), "A risk if the cluster meets the bug's preconditions; nothing if it doesn't."],
        [
          "narrowed",
          count("narrowed"),
          "A notice for clusters that may be affected, with what to examine: the API shows only a part of the preconditions.",
        ],
        [
          "told",
          count("told"),
          "A notice for every cluster, with what to examine: the API shows none of the preconditions.",
        ],
      ],
    ),
    "Where the notice of a narrowed or told name comes, it can't rule out the risk that is published: the cluster-version operator's evaluation then decides. Without one, the check conditional-updates reports a risk that is published for every cluster, and any other makes it unknown.",
    "The risks of preflight have other names, so that accepting a published risk never accepts one of preflight's.",
    formatTable(
      ["published name", "verdict", "check"],
      accounts.map(({ name, decidability, explanation, url }) => [`[${name}](${url})`, decidability, explanation]),
    ),
  ].join("\n\n")}\n`;
}
