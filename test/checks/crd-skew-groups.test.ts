import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { PAYLOAD_GROUPS } from "../../src/checks/crd-skew/payload-groups.ts";
import { compareText } from "../../src/model/json.ts";
import { SHARED } from "../../verify/api-server/control-plane.ts";

const crds = `${SHARED}/crds`;

test("lists each group once, sorted, without Kubernetes' own groups", () => {
  assert.deepEqual(PAYLOAD_GROUPS, [...new Set(PAYLOAD_GROUPS)].toSorted(compareText));
  for (const group of PAYLOAD_GROUPS)
    assert.match(group, /^(?!(apps|batch|rbac\.authorization\.k8s\.io)$)[a-z0-9.-]+\.[a-z0-9]+$/);
});

test(
  "lists the group of every CRD in the releases",
  { skip: existsSync(crds) ? false : `${crds} is not there` },
  () => {
    const files = readdirSync(crds, { recursive: true, encoding: "utf8" }).filter((name) => /^\d.*\.ya?ml$/.test(name));
    const groups = files.flatMap(
      (name) => /^ {2}group: "?([^\s"]+)/m.exec(readFileSync(`${crds}/${name}`, "utf8"))?.[1] ?? [],
    );
    assert.ok(
      files.length > 1000 && groups.length > files.length / 2,
      `${groups.length} groups in ${files.length} files`,
    );
    assert.deepEqual(
      [...new Set(groups)].filter((group) => !PAYLOAD_GROUPS.includes(group)),
      [],
    );
  },
);
