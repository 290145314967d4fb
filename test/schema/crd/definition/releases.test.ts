import { strict as assert } from "node:assert";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { textAt } from "../../../../src/model/json.ts";
import { judgeDefinition } from "../../../../src/schema/crd/index.ts";
import { getKubernetesMinor, parseMinor } from "../../../../src/model/version.ts";
import { SHARED } from "../../../../verify/api-server/control-plane.ts";
import { sampleEach } from "../../../support/cases/sample.ts";
import { readDefinitions } from "../../../../verify/schema/definition/release-crds.ts";

const CRDS = join(SHARED, "crds");
const skip = existsSync(CRDS)
  ? false
  : "there are no definitions of releases (set PREFLIGHT_SHARED to the folder that has them)";

test("the API server of each release accepts the definitions that the release ships", { skip }, async (t) => {
  const releases = readdirSync(CRDS).filter((name) => parseMinor(name) !== undefined);
  // The first, one in the middle and the last.
  for (const release of sampleEach(releases, (releases.length - 1) / 2))
    await t.test(release, () => {
      const refused = readDefinitions(SHARED, release).flatMap(({ definition }) => {
        const { refusals, undecided } = judgeDefinition(definition, undefined, findMinor(release));
        return [...refusals, ...undecided].map(({ reason }) => `${textAt(definition, "metadata", "name")}: ${reason}`);
      });
      assert.deepEqual(refused, []);
    });
});

function findMinor(release: string): number {
  return getKubernetesMinor(parseMinor(release) ?? assert.fail(release));
}
