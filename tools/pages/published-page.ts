import { KNOWN_BUGS } from "../../src/checks/known-bugs/bugs.ts";
import { OTHER_NAMES } from "../../src/checks/known-bugs/published-names.ts";
import type { Check } from "../../src/model/check.ts";
import { compareText } from "../../src/model/json.ts";
import { formatCode, formatTable } from "./markdown.ts";

export type Decidability = "decided" | "partly" | "not decidable";

/** What becomes of a name that the update service has published. */
export type PublishedRisk = {
  readonly name: string;
  readonly decidability: Decidability;
  readonly explanation: string;
  readonly url: string;
};

/** Every published name once; where several things speak of it, the surest of them counts. */
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

/** docs/known-risks.md: what becomes of each name that the update service has published. */
export function formatPublishedPage(heading: string, checks: readonly Check[]): string {
  const accounts = collectPublishedNames(checks);
  const count = (verdict: Decidability): string =>
    String(accounts.filter((account) => account.decidability === verdict).length);
  return `${[
    `<!-- ${heading} -->`,
    "# The update service's risks",
    `OpenShift's update service has published ${accounts.length} names of conditional risks. This is what decides each on a cluster, from what the cluster's API shows.`,
    formatTable(
      ["verdict", "names", "which means"],
      [
        [
          "decided",
          count("decided"),
          "A risk says so where the cluster has what the fault needs, and nothing where it hasn't.",
        ],
        ["partly", count("partly"), "A notice says what to look at, since part of what the fault needs doesn't show."],
        [
          "not decidable",
          count("not decidable"),
          "Nothing that shows tells a cluster that is hit from one that isn't.",
        ],
      ],
    ),
    "Our own risks have names of their own, so that accepting one is never taken for accepting the other.",
    formatTable(
      ["published name", "verdict", "by what, or why not"],
      accounts.map(({ name, decidability, explanation, url }) => [`[${name}](${url})`, decidability, explanation]),
    ),
  ].join("\n\n")}\n`;
}
