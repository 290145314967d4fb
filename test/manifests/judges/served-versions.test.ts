import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { findLife, listKinds, listOwnVersions } from "../../../src/manifests/judges/api-lives.ts";
import { judgeApiVersion } from "../../../src/manifests/judges/api-versions.ts";
import { type JsonObject, objectsAt, textAt, textsAt } from "../../../src/model/json.ts";
import { REMOVALS } from "../../../src/model/api-removals.ts";
import { formatGroupVersion } from "../../../src/model/resource.ts";
import { connectAdminApi } from "../../../verify/api-server/admin-api.ts";
import { type ControlPlane, noControlPlane } from "../../../verify/api-server/control-plane.ts";
import { sampleEach } from "../../support/cases/sample.ts";
import { startMinor } from "../../support/manifests/minors.ts";

/** "apps/v1 Deployment" of everything that can be created. */
async function listServed(plane: ControlPlane): Promise<ReadonlySet<string>> {
  const api = await connectAdminApi(plane);
  const read = async (path: string): Promise<JsonObject> => (await api.call("GET", path)).body;
  const groups = objectsAt(await read("/apis"), "groups");
  const versions = groups.flatMap((group) =>
    objectsAt(group, "versions").flatMap((one) => textAt(one, "groupVersion") ?? []),
  );
  const lists = await Promise.all(
    ["v1", ...versions].map(async (version) => {
      const list = await read(version === "v1" ? "/api/v1" : `/apis/${version}`);
      return objectsAt(list, "resources")
        .filter((one) => textsAt(one, "verbs").includes("create") && textAt(one, "name")?.includes("/") === false)
        .map((one) => `${version} ${textAt(one, "kind") ?? ""}`);
    }),
  );
  api.close();
  return new Set(lists.flat());
}

/** All kinds that the tables have. */
function listKnown(): readonly string[] {
  const removed = REMOVALS.map(({ api, kind }) => `${formatGroupVersion(api)} ${kind}`);
  return [
    ...removed,
    ...listOwnVersions().flatMap((version) => listKinds(version).map((kind) => `${version} ${kind}`)),
  ];
}

describe("what a kube-apiserver serves", { skip: noControlPlane }, () => {
  for (const minor of sampleEach([36, 35, 34, 33], 4))
    test(`is known of 1.${minor}`, async () => {
      const plane = await startMinor(minor);
      try {
        const served = await listServed(plane);
        assert.ok(served.size > 50, `${served.size} kinds`);
        for (const what of new Set([...served, ...listKnown()])) {
          const [apiVersion = "", kind = ""] = what.split(" ");
          const verdict = judgeApiVersion({ apiVersion, kind }, { platform: "kubernetes", kubernetes: minor });
          const isRefused = verdict.applies && verdict.findings.some(({ effect }) => effect === "refused");
          const isOptional = verdict.applies && verdict.unknowns.length > 0;
          const said = isRefused ? "refused" : isOptional ? "optional" : "served";
          const life = findLife(apiVersion, kind, "kubernetes");
          if (served.has(what)) assert.equal(said, "served", `1.${minor} serves ${what} ${JSON.stringify(life)}`);
          else if (kind !== "ComponentStatus") assert.notEqual(said, "served", `1.${minor} doesn't serve ${what}`);
        }
      } finally {
        await plane.down();
      }
    });
});
