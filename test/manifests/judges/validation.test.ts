import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { listKindRows, removeVersion } from "../../../src/data-checks/kinds/kind-table.ts";
import { createBuiltInJudge } from "../../../src/manifests/judges/built-in-judge.ts";
import { type JsonObject, textAt } from "../../../src/model/json.ts";
import { buildResourcePath, getGroup } from "../../../src/model/resource.ts";
import { type AdminApi, type AdminResponse, connectAdminApi } from "../../../verify/api-server/admin-api.ts";
import { type ControlPlane, noControlPlane } from "../../../verify/api-server/control-plane.ts";
import { sampleEach } from "../../support/cases/sample.ts";
import { startMinor } from "../../support/manifests/minors.ts";
import { listMutations } from "../../support/manifests/mutations.ts";
import { loadValidObjects } from "../../support/manifests/valid-objects.ts";

/** What the API server does with an object that is created, without keeping it. */
async function create(api: AdminApi, object: JsonObject): Promise<AdminResponse> {
  const apiVersion = textAt(object, "apiVersion") ?? "";
  const row = listKindRows(apiVersion).find(({ type }) => removeVersion(type) === object["kind"]);
  const group = getGroup(apiVersion);
  const version = apiVersion.slice(group === "" ? 0 : group.length + 1);
  const resource = { group, version, resource: row?.plural ?? "" };
  const path = buildResourcePath(resource, row?.scope === "Namespaced" ? "default" : undefined);
  return api.call("POST", `${path}?dryRun=All&fieldValidation=Warn`, object);
}

/** One of so many mutants of the valid objects. */
const STEP = 25;

describe("a kube-apiserver", { skip: noControlPlane }, () => {
  for (const minor of sampleEach([36, 33], 2))
    describe(`of 1.${minor}`, () => {
      let plane: ControlPlane | undefined;
      let api: AdminApi | undefined;
      before(async () => {
        plane = await startMinor(minor);
        api = await connectAdminApi(plane);
      });
      after(async () => {
        api?.close();
        await plane?.down();
      });

      const judge = createBuiltInJudge({ platform: "kubernetes", kubernetes: minor });
      const getEffects = (object: JsonObject): readonly string[] => {
        const verdict = judge(object);
        return verdict.applies ? verdict.findings.map(({ effect }) => effect) : [];
      };

      test("refuses and drops what is said to be refused and dropped, and most that it refuses is known", async () => {
        const server = api ?? assert.fail();
        const served = (await loadValidObjects()).filter((object) => !getEffects(object).includes("refused"));
        assert.ok(served.length > 40, `${served.length} objects`);
        let refused = 0;
        let known = 0;
        for (const { object, name } of sampleEach(served.flatMap(listMutations), STEP)) {
          const { code, body, warnings } = await create(server, object);
          const effects = getEffects(object);
          const isRefused = code >= 400;
          if (effects.includes("refused")) assert.ok(isRefused, `${name} is created`);
          const isDropped = warnings.some((warning) => warning.includes("unknown field"));
          if (!isRefused) assert.equal(effects.includes("dropped"), isDropped, `${name}: ${warnings.join(", ")}`);
          refused += isRefused ? 1 : 0;
          known += isRefused && effects.includes("refused") ? 1 : 0;
          assert.ok(code < 500, `${name}: ${textAt(body, "message")}`);
        }
        assert.ok(refused > 100 && known / refused > 0.6, `${known} of ${refused} refusals are known`);
      });
    });
});
