import assert from "node:assert/strict";
import { dirname, join } from "node:path";
import { describe, test } from "node:test";
import { listCaseFiles } from "../../src/cases/case-files.ts";
import { DEFINITIONS } from "../../src/checks/definitions.ts";
import { checks } from "../../src/checks/index.ts";
import { runCaseFile } from "../../src/cli/commands/checks/case-results.ts";
import { readCheckFolders } from "../../src/cli/commands/checks/test.ts";
import { findUndecided } from "../../src/cli/commands/checks/undecided.ts";
import { type CheckFault, formatFault } from "../../src/data-checks/format/fault.ts";
import { checkFolder } from "../../verify/shared/check-folders.ts";
import { sampleEach } from "../support/cases/sample.ts";
import { selectedChecks } from "../support/cases/selected-checks.ts";
import { listAllMutations } from "../support/data-checks/mutations.ts";

/** Where another expression reads or keeps more than is needed, which changes no verdict, and what only a text without an update says. */
const EQUIVALENT: readonly RegExp[] = [
  /cloud-credentials.*: spec\.risks\[\d\]\.remediation: no case decides " \(an oc before 4\.14 lacks --included\)"$/,
  /etcd-health.*: spec\.reads\.operator\.when: no case decides (?:&&|"EtcdMembersAvailable")$/,
  /in-tree-volumes.*: spec\.reads\.\w+\.when: no case decides 33$/,
  /in-tree-volumes.*: spec\.variables\[0\]\.expression: no case decides ""$/,
  /security-context-constraints.*: spec\.reads\.pods\.where: no case decides "(?:\^\(anyuid|machine-api|openshift\.io\/scc|restricted)\S*$/,
];

/** PREFLIGHT_CASES=all changes every operator and literal. */
const STEP = 9;

async function listUndecided(id: string): Promise<readonly CheckFault[]> {
  const [found] = await readCheckFolders(join(checkFolder({ id }), "check.yaml"));
  assert.ok(found !== undefined, id);
  const files = listCaseFiles(join(dirname(found.text.name), "cases"), found.check);
  const cases = await Promise.all(files.map((file) => runCaseFile(file, checks, false)));
  assert.ok(cases.every(({ state }) => state === "equal"));
  return findUndecided(found.text, cases, checks, (document) => sampleEach(listAllMutations(document), STEP));
}

describe("every operator and literal of a check that is data decides a case", () => {
  const ids = new Set(DEFINITIONS.map(({ metadata }) => metadata.name));
  for (const { id } of selectedChecks.filter((check) => ids.has(check.id)))
    test(id, async () => {
      const undecided = (await listUndecided(id)).map(formatFault);
      const isEquivalent = (fault: string): boolean =>
        EQUIVALENT.some((known) => known.test(fault.split("\n")[0] ?? ""));
      assert.deepEqual(
        undecided.filter((fault) => !isEquivalent(fault)),
        [],
      );
    });
});
