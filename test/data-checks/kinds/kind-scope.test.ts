import { strict as assert } from "node:assert";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { textAt } from "../../../src/model/json.ts";
import { findKindScope } from "../../../src/data-checks/kinds/kind-scope.ts";
import { parseMinor } from "../../../src/model/version.ts";
import { SHARED } from "../../../verify/api-server/control-plane.ts";
import { readDefinitions } from "../../../verify/schema/definition/release-crds.ts";

test("a kind belongs to namespaces, to none, or is not known", () => {
  const names = ["imagepolicies", "infrastructures", "widgets"];
  const scopes = names.map((resource) => findKindScope({ group: "config.openshift.io", resource }));
  assert.deepEqual(scopes, ["Namespaced", "Cluster", undefined]);
  assert.equal(findKindScope({ group: "toString", resource: "nodes" }), undefined);
});

const CRDS = join(SHARED, "crds");
const skip = existsSync(CRDS)
  ? false
  : "there are no definitions of releases (set PREFLIGHT_SHARED to the folder that has them)";

test("the scopes are those of the oldest and the newest release", { skip }, () => {
  const releases = readdirSync(CRDS).filter((name) => parseMinor(name) !== undefined);
  const chosen = [releases[0] ?? "", releases.at(-1) ?? ""];
  const kinds = chosen.flatMap((release) =>
    readDefinitions(SHARED, release).map(({ definition }) => ({
      group: textAt(definition, "spec", "group") ?? "",
      resource: textAt(definition, "spec", "names", "plural") ?? "",
      scope: textAt(definition, "spec", "scope"),
    })),
  );
  const known = kinds.filter((kind) => findKindScope(kind) !== undefined);
  assert.ok(known.length > 50, `${known.length} of ${kinds.length} are known`);
  assert.deepEqual(
    known.filter((kind) => findKindScope(kind) !== kind.scope),
    [],
  );
});
