import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import reasons from "../../conformance/reasons.json" with { type: "json" };
import texts from "../../conformance/texts.json" with { type: "json" };
import { fitToBudget } from "../../src/format/document/budget.ts";
import { PARTIAL_MESSAGE, VALIDATION_MESSAGE } from "../../src/format/document/document.ts";
import { joinMessages } from "../../src/lift/objects/limits.ts";
import { selectRisks } from "../../src/lift/risk-merge.ts";
import { ACCEPTED_MESSAGE, CLEAR_MESSAGE } from "../../src/lift/update-conditions.ts";
import { formatMark, formatRiskText, formatUnknownRisk } from "../../src/model/cluster-version-risks.ts";
import { FURTHER_RISKS_URL } from "../../src/model/document.ts";
import { textAt } from "../../src/model/json.ts";
import { formatConformancePage } from "../../tools/pages/conformance-page.ts";

const ROOT = join(import.meta.dirname, "../..");
const VERSIONS = { source: "5.0.3", target: "5.2.0" };
const RISK = { name: "A", message: "A is wrong.", url: "https://example.com/A" };

test("the page of the kit has the tables and every case", () => {
  const page = readFileSync(join(ROOT, "conformance/README.md"), "utf8");
  assert.equal(formatConformancePage(page), page);
});

test("each reason of the table is one that the code gives", () => {
  const files = globSync("src/{lift,controller,model,format}/**/*.ts", { cwd: ROOT });
  const source = files.map((file) => readFileSync(join(ROOT, file), "utf8")).join("\n");
  const listed = Object.values(reasons).flatMap((rules) => Object.keys(rules));
  assert.deepEqual(
    listed.filter((reason) => !source.includes(`"${reason}"`)),
    [],
  );
});

test("each text of the table is the one that the code writes", () => {
  const further = selectRisks([{ name: "A" }, { name: "B" }], 1, VERSIONS, "versions").kept[0];
  const long = "x".repeat(30_000);
  const risks = Array.from({ length: 52 }, (_, i) => ({
    ...RISK,
    name: `R${i}`,
    unknown: false,
    remediation: "",
  }));
  const written: Readonly<Record<keyof typeof texts, string | undefined>> = {
    mark: formatMark(VERSIONS, "versions"),
    markOfProposal: formatMark(VERSIONS, "proposal"),
    markOfAlert: formatMark(VERSIONS, "alert"),
    risk: formatRiskText(RISK),
    unknown: `${formatUnknownRisk(RISK.name)}${formatRiskText(RISK)}`,
    notExposed: CLEAR_MESSAGE,
    allAccepted: ACCEPTED_MESSAGE,
    more: joinMessages([long, long, long, long], 32_768).slice(long.length + 2),
    moreOwn: joinMessages([long, `5.0.3 -> 5.2.0: ${long}`], 32_768).slice(long.length + 2),
    further: textAt(further, "message")?.slice(formatMark(VERSIONS, "versions").length),
    furtherUrl: FURTHER_RISKS_URL,
    found: VALIDATION_MESSAGE,
    partial: PARTIAL_MESSAGE,
    furtherInDocument: fitToBudget(risks).at(-1)?.message,
  };
  const count = { more: "3", moreOwn: "1", further: "2", furtherInDocument: "3" };
  const filled = Object.entries(texts).map(([name, { text }]) => [name, fill(name, text, count)]);
  assert.deepEqual(Object.fromEntries(filled), written);
});

function fill(name: string, text: string, counts: Readonly<Record<string, string>>): string {
  const values: Readonly<Record<string, string>> = { ...VERSIONS, ...RISK, count: counts[name] ?? "" };
  return text.replaceAll(/\{(\w+)\}/g, (_, key: string) => values[key] ?? "");
}
