import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { checks } from "../../src/checks/index.ts";
import { buildExampleCommands } from "../../src/cli/commands/explain-pages.ts";
import { buildContext, getRemediation } from "../../src/model/check.ts";
import { checkFolder, checkFolders } from "../../verify/shared/check-folders.ts";
import { release, version } from "../support/fixtures.ts";
import { findLongSentences } from "../../src/data-checks/sentences.ts";
import { SHARED } from "../../verify/api-server/control-plane.ts";

const HEADINGS = [
  "## Why",
  "## How to see it by hand",
  "## How to fix it",
  "## How sure the verdict is",
  "## When it is retired",
];
const NAME = /^[A-Z][A-Za-z0-9]{0,127}$/;

const published = `${SHARED}/data/known-risks.json`;

/** Every name from a check that can appear in ClusterVersion. */
const names = checks.flatMap((check) => [`${check.name}Unknown`, ...check.risks.map(({ name }) => name)]);

/** The commands of published bugs follow from the objects that prove them; the others name the target. */
const WITHOUT_EXAMPLE: ReadonlySet<string> = new Set([
  "CloudCredentialsNotPrepared",
  "CloudCredentialsPreparedForEarlierRelease",
  ...checks.filter(({ id }) => id === "known-bugs").flatMap(({ risks }) => risks.map(({ name }) => name)),
]);

describe("the registry", () => {
  test("lists each folder of src/checks, sorted", () => {
    assert.deepEqual(
      checks.map(({ id }) => id),
      checkFolders(),
    );
  });

  test("has unique ids in kebab case and unique names that the cluster-version operator accepts", () => {
    for (const { id, name } of checks) {
      assert.match(id, /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/);
      assert.match(name, NAME);
    }
    for (const name of names) assert.match(name, NAME);
    assert.equal(new Set(names).size, names.length);
  });

  test("links every risk to a public page and says what to do", () => {
    for (const risk of checks.flatMap((check) => check.risks)) {
      const { protocol, hostname } = new URL(risk.url);
      assert.equal(protocol, "https:");
      assert.match(
        hostname,
        /^(docs|access|issues|bugzilla)\.redhat\.com$|^redhat\.atlassian\.net$|^github\.com$|^kubernetes\.io$|^kubevirt\.io$/,
        `${risk.name} links to ${hostname}`,
      );
      assert.doesNotMatch(risk.url, /\/enhancements\//, `${risk.name} links to a proposal, not to documentation`);
      assert.match(getRemediation(risk), /\.$/, `${risk.name} doesn't say what to do in a sentence`);
      assert.notEqual(risk.title, "");
    }
  });

  test("says what a risk does and what to do in short sentences", () => {
    const context = buildContext(version("4.19.5"), release("4.20.3"), new Date(0));
    for (const risk of checks.flatMap(({ risks }) => risks))
      for (const text of [risk.title, getRemediation(risk), risk.describe("Node worker-a", context, [])])
        assert.deepEqual(findLongSentences(text), [], risk.name);
    assert.equal(findLongSentences(`It ${"very ".repeat(24)}long. It is "${"so ".repeat(30)}" short.`).length, 1);
  });

  test("has an example of each risk with a fix, whose commands are whole and depend on no version", () => {
    const examples = checks.flatMap((check) =>
      check.risks.map((risk) => ({ risk, ...buildExampleCommands(check, risk) })),
    );
    for (const { risk, see, fix } of examples) {
      for (const command of [...see, ...fix]) assert.doesNotMatch(command, /undefined|''|4\.20\.0/, risk.name);
      const isExpected = risk.fix !== undefined && !WITHOUT_EXAMPLE.has(risk.name);
      assert.equal(fix.length > 0, isExpected, `${risk.name} has no example for preflight explain`);
    }
  });

  test("explains each check in a README with the same headings", () => {
    for (const check of checks) {
      const file = join(checkFolder(check), "README.md");
      assert.ok(existsSync(file), `${file} is missing`);
      const headings = readFileSync(file, "utf8").match(/^## .*$/gm);
      assert.deepEqual(headings, HEADINGS, file);
      assert.match(readFileSync(file, "utf8"), /^ {4}(?:oc|kubectl) |^(?:oc|kubectl) /m, `${file} shows no command`);
    }
  });

  test("has no placeholder text of npm run new-check left", () => {
    for (const check of checks) {
      const texts = [check.title, ...check.risks.flatMap((risk) => [risk.title, getRemediation(risk)])];
      for (const text of [...texts, readFileSync(join(checkFolder(check), "README.md"), "utf8")])
        assert.doesNotMatch(text, /^Say here/m, `${check.id} still says what its author was to change`);
    }
  });

  const missing = existsSync(published) ? false : `${published} is not there`;
  test("uses no name that the update service has published", { skip: missing }, () => {
    const text = readFileSync(published, "utf8");
    for (const name of names) assert.ok(!text.includes(`"${name}"`), `${name} is taken`);
    assert.ok(text.includes('"name"'));
  });
});
