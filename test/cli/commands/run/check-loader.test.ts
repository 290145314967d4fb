import assert from "node:assert/strict";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { createCheckLoader } from "../../../../src/cli/commands/run/cycle-server.ts";
import { createTestIo } from "../../../support/cli/test-io.ts";
import { buildSiteCheck } from "../../../support/cli/site-check.ts";
import { withTemporaryFolder } from "../../../../verify/shared/temporary-folder.ts";

test("a runner's cycles run what the files hold at their beginning, and the log says once what is wrong with them", () =>
  withTemporaryFolder("loader", async (folder) => {
    const logged: unknown[] = [];
    const file = join(folder, "nodes.yaml");
    const values = {
      checks: [folder, join(folder, "absent")],
      only: [],
      skip: ["site-skipped"],
      config: undefined,
      "known-bugs": undefined,
      "known-bugs-older": false,
    };
    const load = createCheckLoader(values, createTestIo([]), {
      warn: (_, fields) => void logged.push(fields?.["problems"]),
    });
    const list = async () => {
      const { checks, leftOut } = await load();
      return [...checks, ...leftOut.map(({ check, by }) => ({ id: `${by} ${check.id}` }))]
        .map(({ id }) => id)
        .filter((id) => id.includes("site-"));
    };
    assert.deepEqual(await list(), []);
    assert.deepEqual(logged, [[`${join(folder, "absent")} does not exist`]]);
    writeFileSync(file, [buildSiteCheck("one"), buildSiteCheck("skipped", "worker", "Other")].join("---\n"));
    assert.deepEqual(await list(), ["site-one", "--skip site-skipped"]);
    const first = await load();
    const second = await load();
    assert.equal(first.checks.at(-1), second.checks.at(-1), "the same files are loaded once");
    writeFileSync(file, "kind: [");
    assert.deepEqual([await list(), await list()], [["site-checks"], ["site-checks"]]);
    assert.equal(logged.length, 2);
    assert.match(String(logged[1]), /absent does not exist,\S+nodes\.yaml:1:\d+: it is not valid YAML/);
    rmSync(file);
    assert.deepEqual(await list(), []);
    assert.equal(logged.length, 3);
  }));
