import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { findLife, listKinds, listOwnVersions } from "../../../src/manifests/judges/api-lives.ts";
import { judgeApiVersion } from "../../../src/manifests/judges/api-versions.ts";
import { objectsAt, parseObject, textAt, textsAt } from "../../../src/model/json.ts";
import { REMOVALS, formatGroupVersion } from "../../../src/model/api-removals.ts";
import { type ControlPlane, noControlPlane, startKubernetes } from "../../../verify/api-server/control-plane.ts";

/** "apps/v1 Deployment" of everything that can be created. */
async function listServed(plane: ControlPlane): Promise<ReadonlySet<string>> {
  const read = async (path: string): Promise<string> => plane.kubectl(["get", "--raw", path]);
  const groups = objectsAt(parseObject(await read("/apis")), "groups");
  const versions = groups.flatMap((group) =>
    objectsAt(group, "versions").flatMap((one) => textAt(one, "groupVersion") ?? []),
  );
  const lists = await Promise.all(
    ["v1", ...versions].map(async (version) => {
      const list = parseObject(await read(version === "v1" ? "/api/v1" : `/apis/${version}`));
      return objectsAt(list, "resources")
        .filter((one) => textsAt(one, "verbs").includes("create") && textAt(one, "name")?.includes("/") === false)
        .map((one) => `${version} ${textAt(one, "kind") ?? ""}`);
    }),
  );
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
  for (const minor of [33, 34, 35, 36])
    test(`is known of 1.${minor}`, async () => {
      const plane = await startKubernetes("--emulate", `1.${minor}`);
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
