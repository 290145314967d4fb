import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { pathToFileURL } from "node:url";
import * as registry from "../../src/checks/registry.ts";
import { readRisks } from "../../src/checks/shared/risks.ts";
import { TEXTS, judgeTexts, readRiskFiles } from "../../src/checks/shared/texts.ts";
import { buildFoundRisk } from "../../src/data-checks/found-risks.ts";
import type { ComputedValues } from "../../src/data-checks/run/risk-text.ts";
import { type Finding, buildContext, getRemediation } from "../../src/model/check.ts";
import { createTemporaryFolder } from "../../verify/shared/temporary-folder.ts";
import { release, version } from "../support/fixtures.ts";

const RISKS = `risks:
  - name: PoolsPaused
    effect: stuck
    title: Pools are paused
    url: https://example.com/
    message: >-
      \${objects}: \${details.map(detail, detail.?since.orValue(""))}, \${nodes} keep
      \${target.version} from them.
    remediation: Unpause them\${how}.
    see: [describe: {}]
`;
const COMPUTED: Readonly<Record<string, ComputedValues>> = {
  PoolsPaused: {
    message: { nodes: (findings) => `${findings.length} nodes` },
    remediation: { how: (context) => (context === undefined ? "" : ` before ${context.target.text}`) },
  },
};

/** Reads a folder with the texts of one check. */
async function readOne(text: string) {
  const folder = createTemporaryFolder();
  mkdirSync(join(folder, "pools"));
  writeFileSync(join(folder, "pools", "risks.yaml"), text);
  return readRiskFiles(pathToFileURL(`${folder}/`));
}

function buildFinding(detail: Readonly<Record<string, string>>): Finding {
  const object = { apiVersion: "example.com/v1", kind: "Pool", name: "a" };
  return { risk: "PoolsPaused", object, message: "It is paused.", detail };
}

test("a risk has the texts of its file, with what TypeScript computes for them", async () => {
  const files = await readOne(RISKS);
  judgeTexts("pools", COMPUTED, files);
  const [texts] = files["pools"]?.risks ?? [];
  assert.ok(texts !== undefined);
  const risk = buildFoundRisk(texts, COMPUTED["PoolsPaused"] ?? {});
  const context = buildContext(version("4.18.5"), release("4.19.2"), new Date(0));
  const findings = [buildFinding({ since: "May" }), buildFinding({}), buildFinding({ since: "April" })];
  assert.equal(risk.describe("Pool a", context, findings), "Pool a: , April and May, 3 nodes keep 4.19.2 from them.");
  assert.equal(getRemediation(risk), "Unpause them.");
  assert.equal(getRemediation(risk, context), "Unpause them before 4.19.2.");
  assert.deepEqual(risk.see?.(buildFinding({}), context), ["oc describe pool.example.com/a"]);
});

describe("a fault in the texts of risks is told with its line", () => {
  const rows: readonly (readonly [what: string, written: string, instead: string, said: RegExp])[] = [
    [
      "a misspelt risk",
      "PoolsPaused",
      "PoolPaused",
      /:2:11: risks\[0\]\.name: the check has no such risk[^]*did you mean PoolsPaused\?[^]*PoolsPaused is missing/,
    ],
    ["a misspelt placeholder", "${nodes}", "${node}", /:7:72: risks\[0\]\.message: [^]*nodes/],
    ["a placeholder that is gone", "${how}", "", /:9:18: risks\[0\]\.remediation: the computed how is not used/],
    [
      "a misspelt field of a name",
      "target.version",
      "target.versoin",
      /:8:16: risks\[0\]\.message: [^]*did you mean version\?/,
    ],
    ["a missing text", "    remediation: Unpause them${how}.\n", "", /risks\[0\]: the field remediation is missing/],
    ["a misspelt field", "title", "titel", /:4:5: risks\[0\]\.titel: [^]*did you mean title\?/],
    ["a rule, which is TypeScript", "see:", "findings:", /:10:5: risks\[0\]\.findings: /],
    ["an unfinished file", RISKS, "# To be written.", /must hold the risks of one check/],
  ];
  for (const [what, written, instead, said] of rows)
    test(what, async () => {
      assert.ok(RISKS.includes(written));
      await assert.rejects(
        async () => judgeTexts("pools", COMPUTED, await readOne(RISKS.replace(written, () => instead))),
        said,
      );
    });

  test("a name that texts have already", async () => {
    const computed = { PoolsPaused: { ...COMPUTED["PoolsPaused"], message: { objects: () => "" } } };
    const files = await readOne(RISKS.replace("${nodes} ", ""));
    assert.throws(() => judgeTexts("pools", computed, files), /the computed objects hides a name/);
  });
});

test("no file has texts that no check has", () => {
  const checks = new Map(Object.values(registry).map(({ id, risks }) => [id, risks.map(({ name }) => name)]));
  for (const [id, texts] of Object.entries(TEXTS))
    assert.deepEqual(
      checks.get(id),
      texts.map(({ name }) => name),
      `src/checks/${id}/risks.yaml`,
    );
});

test("a check without texts can't be loaded", () => {
  assert.throws(() => readRisks("no-check", {}), /there is no src\/checks\/no-check\/risks\.yaml/);
});
