import assert from "node:assert/strict";
import { test } from "node:test";
import { checks } from "../../src/checks/index.ts";
import { getUnknownRiskName } from "../../src/model/check.ts";
import { CHECKS_FOLDER, formatChecksFlags, formatOrigin, getCheckFileName } from "../../src/model/site-checks.ts";

test("no name of this build begins as those of others do", () => {
  const names = checks.flatMap((check) => [
    check.id,
    check.name,
    getUnknownRiskName(check),
    ...check.risks.flatMap(({ name, knownAs }) => [name, ...(knownAs?.published ?? []), knownAs?.liftedAs ?? name]),
  ]);
  assert.ok(names.length > 100);
  assert.deepEqual(
    names.filter((name) => /^(?:Olm|Site)[A-Z0-9]|^(?:olm|site)-/.test(name)),
    [],
  );
});

test("a file in the runner's folder is a key of its ConfigMap, and no flag can name it", () => {
  const file = getCheckFileName(`${CHECKS_FOLDER}/csi.yaml`);
  assert.equal(file, "ConfigMap preflight-checks csi.yaml");
  assert.equal(getCheckFileName("checks/my csi.yaml"), "checks/my csi.yaml");
  const origins = [{ kind: "site", file } as const, { kind: "site", file: "checks/my csi.yaml" } as const, undefined];
  assert.equal(formatChecksFlags(origins), " --checks 'checks/my csi.yaml' --checks FILE");
  assert.equal(formatOrigin(origins[0]), " (From the administrator's check ConfigMap preflight-checks csi.yaml.)");
  assert.equal(formatOrigin(undefined), "");
});
