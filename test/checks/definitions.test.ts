import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { DEFINITIONS, readDefinitions } from "../../src/checks/definitions.ts";
import { LAST_KNOWN_RELEASE, formatMinor } from "../../src/model/version.ts";
import { createTemporaryFolder } from "../../verify/shared/temporary-folder.ts";

const CHECK = `apiVersion: preflight.openshift.io/v1alpha1
kind: PreflightCheck
metadata: {name: quotas}
spec:
  title: There are quotas
  applies: {updates: [minor]}
  reads: {quotas: {list: v1/resourcequotas}}
  notices: [{when: "quotas.items.size() == 0", message: There is none.}]
`;

/** Reads a folder with one check. */
async function readOne(text: string) {
  const folder = createTemporaryFolder();
  mkdirSync(join(folder, "quotas"));
  writeFileSync(join(folder, "quotas", "check.yaml"), text);
  return readDefinitions(pathToFileURL(`${folder}/`));
}

test("checks that are data are read from the folders beside the registry", async () => {
  assert.ok(DEFINITIONS.length >= 10);
  const definitions = await readOne(CHECK);
  assert.deepEqual(
    definitions.map(({ metadata }) => metadata.name),
    ["quotas"],
  );
});

test("those with tables of releases know the same ones as all of this build", () => {
  const ends = DEFINITIONS.flatMap(({ spec: { applies } }) => applies.knownUpTo ?? []);
  assert.deepEqual([...new Set(ends)], [formatMinor(LAST_KNOWN_RELEASE)]);
});

test("a fault in one is told with its line and column", async () => {
  await assert.rejects(
    readOne(CHECK.replace("size()", "sizes()")),
    /quotas\/check\.yaml:8:34: spec\.notices\[0\]\.when: /,
  );
  await assert.rejects(
    readOne(CHECK.replace("title", "titel")),
    /quotas\/check\.yaml:5:3: spec\.titel: .*\n.*\n.*did you mean title/,
  );
  await assert.rejects(readOne(CHECK.replace("name: quotas", "name: nodes")), /the name nodes is taken/);
});
