import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { type JsonObject, at, listAt, textAt } from "../../src/model/json.ts";
import { judgeDefinition } from "../../src/schema/crd/index.ts";
import { disagreement } from "../schema/definition/compare.ts";
import type { DefinitionQuestion, Oracle } from "./oracle.ts";
import { withTemporaryFolder } from "../shared/temporary-folder.ts";
import { askPackages } from "./package-answers.ts";
import type { Round } from "./round.ts";
import type { DefinitionDifference, RoundAnswers } from "./server-rounds.ts";
import { buildSubject } from "./subject.ts";

type Filed = { readonly round: Round; readonly before: string; readonly after: string };

/** As `askServerRounds`, of the packages of a minor of Kubernetes. */
export function askPackageRounds(oracle: Oracle, rounds: readonly Round[], minor: number): Promise<RoundAnswers> {
  return withTemporaryFolder("rounds", async (folder) => {
    const filed = rounds.map((round, i) => writeRound(round, join(folder, String(i))));
    const differences: DefinitionDifference[] = [];
    const keep = async (
      all: readonly Filed[],
      ask: (one: Filed) => DefinitionQuestion,
      judge: (round: Round) => ReturnType<typeof judgeDefinition>,
    ): Promise<readonly Filed[]> => {
      const answers = await oracle(all.map(ask));
      for (const [i, { round }] of all.entries()) {
        const text = disagreement(judge(round), answers[i] ?? {});
        if (text !== undefined) differences.push({ round, text });
      }
      return all.filter((_, i) => at(answers[i], "valid") === true);
    };
    const created = await keep(
      filed,
      ({ before }) => ({ crd: before, check: true, exact: true }),
      ({ before }) => judgeDefinition(before, undefined, minor),
    );
    const replaced = await keep(
      created,
      ({ before, after }) => ({ crd: after, live: before, check: true, exact: true }),
      ({ before, after }) => judgeDefinition(after, asInstalled(before), minor),
    );
    const subjects = replaced.flatMap(({ round, ...files }) => {
      const subject = buildSubject(round, minor, "packages");
      return subject ? [{ subject, ...files }] : [];
    });
    const answers = await askPackages(oracle, subjects);
    return { answers, definitions: filed.length + created.length, differences };
  });
}

function writeRound(round: Round, path: string): Filed {
  const before = `${path}-before.json`;
  const after = `${path}-after.json`;
  writeFileSync(before, JSON.stringify(round.before));
  writeFileSync(after, JSON.stringify(round.after));
  return { round, before, after };
}

/** As the packages are told to take it: established, with objects of its storage version. */
function asInstalled(crd: JsonObject): JsonObject {
  const versions = listAt(crd, "spec", "versions").filter((version) => at(version, "storage") === true);
  const storedVersions = versions.flatMap((version) => textAt(version, "name") ?? []);
  return { ...crd, status: { storedVersions, conditions: [{ type: "Established", status: "True" }] } };
}
