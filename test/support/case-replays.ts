import { KNOWN_BUGS } from "../../src/checks/known-bugs/bugs.ts";
import { checks } from "../../src/checks/index.ts";
import type { Finding } from "../../src/model/check.ts";
import { type Json, type JsonObject, isObject, textAt } from "../../src/model/json.ts";
import type { Reader } from "../../src/model/reader.ts";
import { runKnownBugs, getAffectedSource } from "../checks/known-bugs/cycle.ts";
import { FIXTURES } from "../checks/known-bugs/fixtures.ts";
import { buildCluster } from "../checks/known-bugs/fake-cluster.ts";
import { type Case, caseFiles, readCase } from "./cases/case-files.ts";
import { CLUSTER_VERSION } from "./cases/defaults.ts";
import { type Expect, type Result, expectOf } from "./cases/expectation.ts";
import { judgeCase } from "./cases/runner.ts";

/** A recorded cluster that can be planted, and what a check must say of it. */
export type Replay = {
  /** "kubelet-skew/risk-paused-pool" */
  readonly id: string;
  readonly check: string;
  /** The minor that the cluster runs; "" where it is no OpenShift. */
  readonly source: string;
  readonly isRisk: boolean;
  readonly cluster: () => JsonObject;
  readonly judge: (reader: Reader) => Promise<Result>;
  /** What was said and what was to be said, as far as they must be the same. */
  readonly compare: (actual: Result) => { readonly actual: unknown; readonly expected: unknown };
  /** Whether anything that was to be found is found. */
  readonly isDetectedIn: (actual: Result) => boolean;
};

/** Every case that ends in a risk or in none, and each entry of known-bugs that makes a risk. */
export function buildReplays(): readonly Replay[] {
  const files = checks.flatMap((check) => caseFiles(check)).filter(({ name }) => /^(?:risk|clear)-/.test(name));
  return [...files.map((file) => buildCaseReplay(readCase(file))), ...buildEntryReplays()];
}

function buildCaseReplay(one: Case): Replay {
  const expected: Expect = JSON.parse(JSON.stringify(one.expect));
  const getEssence = one.check.id === "apiservices" ? getLocations : getTexts;
  const expectedKeys = new Set(getFindings(expected).map(buildFindingKey));
  return {
    id: `${one.check.id}/${one.name}`,
    check: one.check.id,
    source: minorOf(textAt(one.cluster, CLUSTER_VERSION, "status", "history", 0, "version") ?? ""),
    isRisk: one.name.startsWith("risk-"),
    cluster: () => one.cluster,
    judge: (reader) => judgeCase(one, reader),
    compare: (actual) => ({ actual: getEssence(expectOf(actual)), expected: getEssence(expected) }),
    isDetectedIn: (actual) =>
      getFindings(expectOf(actual)).some((finding) => expectedKeys.has(buildFindingKey(finding))),
  };
}

/** All but the notices, which tell also of what a whole cluster has besides a case's few objects. */
function getTexts({ outcome, findings = [], risks = [] }: Expect): Json {
  return JSON.parse(JSON.stringify({ outcome, findings, risks }));
}

/** The API server writes into an APIService itself why it is not available. */
function getLocations(actual: Expect): Json {
  return [actual.outcome, ...getFindings(actual).map(buildFindingKey)];
}

function getFindings({ findings = [] }: Expect): readonly Finding[] {
  return findings;
}

function buildFindingKey({ risk, object, path }: Finding): string {
  const { apiVersion, kind, namespace, name } = object;
  return [risk, apiVersion, kind, namespace, name, path].join(" ");
}

/** The table of known bugs keeps its clusters apart, one that it hits for each entry. */
function buildEntryReplays(): readonly Replay[] {
  return KNOWN_BUGS.filter(({ certainty }) => certainty === "risk").flatMap((entry) => {
    const [fixture, [affected]] = [FIXTURES[entry.id], entry.versions];
    if (!fixture || !affected) return [];
    const source = getAffectedSource(affected);
    const past = { history: fixture.hitHistory, capabilities: fixture.hitCapabilities };
    const isDetectedIn = ({ risks }: Result): boolean => risks.some(({ name }) => name === entry.name);
    return [
      {
        id: `known-bugs/${entry.id}`,
        check: "known-bugs",
        source: minorOf(source),
        isRisk: true,
        cluster: () => selectObjects(buildCluster(source, fixture.hit, past)),
        judge: (reader: Reader) => runKnownBugs(reader, affected.first),
        compare: (actual: Result) => ({ actual: isDetectedIn(actual) ? entry.name : actual, expected: entry.name }),
        isDetectedIn,
      },
    ];
  });
}

/** Only objects: of a kind that a cluster has anyway, an entry's few are not all. */
function selectObjects(answers: ReturnType<typeof buildCluster>): JsonObject {
  return Object.fromEntries(
    Object.entries(answers).flatMap(([path, answer]) =>
      isObject(answer) && "metadata" in answer ? [[path, answer]] : [],
    ),
  );
}

function minorOf(version: string): string {
  return version.split(".").slice(0, 2).join(".");
}
