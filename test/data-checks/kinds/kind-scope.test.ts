import { strict as assert } from "node:assert";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { before, describe, test } from "node:test";
import { DEFINITIONS } from "../../../src/checks/definitions.ts";
import { compileCheck } from "../../../src/data-checks/compile/compile.ts";
import { BUILT_IN_KINDS } from "../../../src/data-checks/kinds/built-in-kinds.ts";
import { buildCustomKinds } from "../../../src/data-checks/kinds/custom-kinds.ts";
import type { Kind } from "../../../src/data-checks/kinds/kind.ts";
import { type Crd, parseCrd } from "../../../src/model/crd.ts";
import type { Resource } from "../../../src/model/resource.ts";
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

describe("in the oldest and the newest release", { skip }, () => {
  const crds: Crd[] = [];
  before(() => {
    const releases = readdirSync(CRDS).filter((name) => parseMinor(name) !== undefined);
    for (const release of [releases[0] ?? "", releases.at(-1) ?? ""])
      crds.push(...readDefinitions(SHARED, release).flatMap(({ definition }) => parseCrd(definition) ?? []));
  });

  test("the scopes are as they are known", () => {
    const kinds = crds.map(({ group, plural: resource, scope }) => ({ group, resource, scope }));
    const known = kinds.filter((kind) => findKindScope(kind) !== undefined);
    assert.ok(known.length > 50, `${known.length} of ${kinds.length} are known`);
    assert.deepEqual(
      known.filter((kind) => findKindScope(kind) !== kind.scope),
      [],
    );
  });

  test("the checks of this build read no field that neither has", () => {
    const custom = buildCustomKinds(crds);
    const read = new Set<string>();
    const find = (resource: Resource): Kind | undefined => {
      const kind = custom.find(resource);
      if (kind?.type.fields !== undefined) read.add(resource.resource);
      return kind ?? BUILT_IN_KINDS.find(resource);
    };
    for (const definition of DEFINITIONS)
      assert.deepEqual(compileCheck(definition, false, { find }).faults, [], definition.metadata.name);
    assert.ok(read.size > 5, [...read].join(", "));
  });
});
