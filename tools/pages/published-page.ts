import { ENTRIES } from "../../src/checks/known-bugs/entries.ts";
import { OTHER_NAMES } from "../../src/checks/known-bugs/published.ts";
import type { Check } from "../../src/model/check.ts";
import { byText } from "../../src/model/json.ts";
import { code, table } from "./markdown.ts";

export type Verdict = "decided" | "partly" | "not decidable";

/** What becomes of a name that the update service has published. */
export type Accounted = {
  readonly name: string;
  readonly verdict: Verdict;
  readonly by: string;
  readonly url: string;
};

/** Every published name once; where several things speak of it, the surest of them counts. */
export function accountsOf(checks: readonly Check[]): readonly Accounted[] {
  const all = [...ofRisks(checks), ...ofNotices(), ...ofOthers()];
  const names = [...new Set(all.map(({ name }) => name))].toSorted(byText);
  return names.flatMap((name) => surest(all.filter((account) => account.name === name)));
}

function surest(accounts: readonly Accounted[]): readonly Accounted[] {
  const decided = accounts.filter(({ verdict }) => verdict === "decided");
  return (decided.length > 0 ? decided : accounts).slice(0, 1);
}

function ofRisks(checks: readonly Check[]): readonly Accounted[] {
  return checks.flatMap((check) =>
    check.risks.flatMap((risk) =>
      (risk.published ?? []).map((name) => ({
        name,
        verdict: "decided" as const,
        by: `${code(risk.name)} of ${linkTo(check.id)}`,
        url: risk.url,
      })),
    ),
  );
}

function ofNotices(): readonly Accounted[] {
  return ENTRIES.filter(({ certainty }) => certainty === "notice").flatMap(({ published, title, url }) =>
    published.map((name) => ({
      name,
      verdict: "partly" as const,
      by: `a notice of ${linkTo("known-bugs")}: ${title}`,
      url,
    })),
  );
}

function ofOthers(): readonly Accounted[] {
  return OTHER_NAMES.map((account) =>
    account.kind === "notDecidable"
      ? { name: account.name, verdict: "not decidable", by: account.why, url: account.url }
      : {
          name: account.name,
          verdict: account.kind,
          by: account.kind === "partly" ? `a notice of ${linkTo(account.check)}` : linkTo(account.check),
          url: account.url,
        },
  );
}

function linkTo(check: string): string {
  return `[${check}](checks.md#${check})`;
}

/** docs/known-risks.md: what becomes of each name that the update service has published. */
export function publishedPage(heading: string, checks: readonly Check[]): string {
  const accounts = accountsOf(checks);
  const count = (verdict: Verdict): string => String(accounts.filter((account) => account.verdict === verdict).length);
  return `${[
    `<!-- ${heading} -->`,
    "# The update service's risks",
    `OpenShift's update service has published ${accounts.length} names of conditional risks. This is what decides each on a cluster, from what the cluster's API shows.`,
    table(
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
    table(
      ["published name", "verdict", "by what, or why not"],
      accounts.map(({ name, verdict, by, url }) => [`[${name}](${url})`, verdict, by]),
    ),
  ].join("\n\n")}\n`;
}
