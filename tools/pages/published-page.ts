import { KNOWN_BUGS } from "../../src/checks/known-bugs/bugs.ts";
import { OTHER_NAMES } from "../../src/checks/known-bugs/published-names.ts";
import type { Check } from "../../src/model/check.ts";
import { compareText } from "../../src/model/json.ts";
import { formatCode, formatTable } from "./markdown.ts";

export type Decidability = "decided" | "partly" | "not decidable";

/** How a name that the update service has published is treated. */
export type PublishedRisk = {
  readonly name: string;
  readonly decidability: Decidability;
  readonly explanation: string;
  readonly url: string;
};

/** Every published name once; the most certain account of it counts. */
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
      (risk.published ?? []).map((name) => ({
        name,
        decidability: "decided" as const,
        explanation: `${formatCode(risk.name)} of ${formatCheckLink(check.id)}`,
        url: risk.url,
      })),
    ),
  );
}

function collectFromNotices(): readonly PublishedRisk[] {
  return KNOWN_BUGS.filter(({ certainty }) => certainty === "notice").flatMap(({ published, title, url }) =>
    published.map((name) => ({
      name,
      decidability: "partly" as const,
      explanation: `a notice of ${formatCheckLink("known-bugs")}: ${title}`,
      url,
    })),
  );
}

function collectFromOthers(): readonly PublishedRisk[] {
  return OTHER_NAMES.map((account) =>
    account.kind === "notDecidable"
      ? { name: account.name, decidability: "not decidable", explanation: account.why, url: account.url }
      : {
          name: account.name,
          decidability: account.kind,
          explanation:
            account.kind === "partly"
              ? `a notice of ${formatCheckLink(account.check)}`
              : formatCheckLink(account.check),
          url: account.url,
        },
  );
}

function formatCheckLink(check: string): string {
  return `[${check}](checks.md#${check})`;
}

/** docs/known-risks.md: every name that the update service has published, and how it is treated. */
export function formatPublishedPage(heading: string, checks: readonly Check[]): string {
  const accounts = collectPublishedNames(checks);
  const count = (verdict: Decidability): string =>
    String(accounts.filter((account) => account.decidability === verdict).length);
  return `${[
    `<!-- ${heading} -->`,
    "# The update service's risks",
    `OpenShift's update service has published ${accounts.length} names of conditional risks. This page shows how each one is decided from the state that the cluster's API shows.`,
    formatTable(
      ["verdict", "names", "meaning"],
      [
        ["decided", count("decided"), "The risk is reported if, and only if, the cluster has what the fault needs."],
        [
          "partly",
          count("partly"),
          "A notice says what to check by hand, since the API shows only part of what the fault needs.",
        ],
        [
          "not decidable",
          count("not decidable"),
          "The API shows nothing that distinguishes an affected cluster from others.",
        ],
      ],
    ),
    "Our risks have names of their own, so that accepting one does not accept the other.",
    formatTable(
      ["published name", "verdict", "explanation"],
      accounts.map(({ name, decidability, explanation, url }) => [`[${name}](${url})`, decidability, explanation]),
    ),
  ].join("\n\n")}\n`;
}
