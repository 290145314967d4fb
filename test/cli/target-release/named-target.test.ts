import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { WITHOUT_GRAPH } from "../../support/cli/private-network.ts";
import { runPreflight } from "../../../verify/shared/preflight.ts";
import { buildGraphJson } from "../../../verify/fuzz/graph-sample.ts";
import { createTestFolder } from "../../support/registry.ts";

const UNREACHABLE = "http://127.0.0.1:1/graph";

/** A command on the demo's cluster that ends in one line on stderr. */
async function failOnDemo(
  command: string,
  ...args: readonly string[]
): Promise<readonly [code: number | null, line: string]> {
  const { code, out, err } = await runPreflight([command, "--recorded", "demo", ...args]);
  assert.equal(out, "");
  assert.match(err, /^preflight: [^\n]+\n$/);
  return [code, err];
}

test("a check without a target says first how to name one by its version", async () => {
  const [code, line] = await failOnDemo("check");
  assert.equal(code, 2);
  assert.match(line, /: name it with --to VERSION, --target DIR or --target-version VERSION\n$/);
});

test("a graph that can't be read names --graph and --target as ways out", async () => {
  const [code, line] = await failOnDemo("check", "--to", "4.19", "--graph", UNREACHABLE);
  assert.equal(code, 1);
  assert.ok(line.endsWith(`graph: 127.0.0.1:1 refused the connection${WITHOUT_GRAPH}`), line);
});

test("a release that the cluster runs already is called so, whether the graph can be read or not", async (t) => {
  const folder = createTestFolder(t);
  const own = join(folder, "own.json");
  const others = join(folder, "others.json");
  await writeFile(own, JSON.stringify(buildGraphJson([["4.17.20", "4.17.30"]])));
  await writeFile(others, JSON.stringify(buildGraphJson([["4.18.1", "4.18.2"]])));
  const running = "preflight: the cluster runs 4.17.20 already: name a later release, or use --to latest";
  for (const [command, flags, offers] of [
    ["check", ["--graph", UNREACHABLE], ""],
    ["check", ["--graph", others], "; the update service offers no update"],
    ["plan", ["--graph", own], "; the update service recommends 4.17.30"],
    ["plan", ["--release", "demo/release"], ""],
  ] as const)
    assert.deepEqual(await failOnDemo(command, "--to", "4.17.20", ...flags), [2, `${running}${offers}\n`]);
  const [, line] = await failOnDemo("check", "--to", "4.17", "--graph", others);
  assert.match(line, /: no updates lead from 4\.17\.20 to a later release of 4\.17 in the channel stable-4\.17: /);
});
