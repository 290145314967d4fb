import { ENTRIES } from "../../src/checks/known-bugs/entries.ts";
import { checks } from "../../src/checks/index.ts";
import type { Finding } from "../../src/model/check.ts";
import { type Json, type JsonObject, isObject, textAt } from "../../src/model/json.ts";
import type { Reader } from "../../src/model/reader.ts";
import { runKnownBugs, sourceOf } from "../checks/known-bugs/cycle.ts";
import { FIXTURES } from "../checks/known-bugs/fixtures.ts";
import { clusterOf } from "../checks/known-bugs/things.ts";
import { type Case, caseFiles, readCase } from "./cases/cases.ts";
import { CLUSTER_VERSION } from "./cases/defaults.ts";
import { type Expect, type Result, expectOf } from "./cases/expect.ts";
import { judgeCase } from "./cases/run.ts";

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
  readonly compared: (said: Result) => { readonly said: unknown; readonly expected: unknown };
  /** Whether anything that was to be found is found. */
  readonly isFoundIn: (said: Result) => boolean;
};

/** Every case that ends in a risk or in none, and each entry of known-bugs that makes a risk. */
export function allReplays(): readonly Replay[] {
  const files = checks.flatMap((check) => caseFiles(check)).filter(({ name }) => /^(?:risk|clear)-/.test(name));
  return [...files.map((file) => caseReplay(readCase(file))), ...entryReplays()];
}

function caseReplay(one: Case): Replay {
  const expected: Expect = JSON.parse(JSON.stringify(one.expect));
  const essence = one.check.id === "apiservices" ? places : texts;
  const sought = new Set(findingsOf(expected).map(placeOf));
  return {
    id: `${one.check.id}/${one.name}`,
    check: one.check.id,
    source: minorOf(textAt(one.cluster, CLUSTER_VERSION, "status", "history", 0, "version") ?? ""),
    isRisk: one.name.startsWith("risk-"),
    cluster: () => one.cluster,
    judge: (reader) => judgeCase(one, reader),
    compared: (said) => ({ said: essence(expectOf(said)), expected: essence(expected) }),
    isFoundIn: (said) => findingsOf(expectOf(said)).some((finding) => sought.has(placeOf(finding))),
  };
}

/** All but the notices, which tell also of what a whole cluster has besides a case's few objects. */
function texts({ outcome, findings = [], risks = [] }: Expect): Json {
  return JSON.parse(JSON.stringify({ outcome, findings, risks }));
}

/** The API server writes into an APIService itself why it is not available. */
function places(said: Expect): Json {
  return [said.outcome, ...findingsOf(said).map(placeOf)];
}

function findingsOf({ findings = [] }: Expect): readonly Finding[] {
  return findings;
}

function placeOf({ risk, object, path }: Finding): string {
  const { apiVersion, kind, namespace, name } = object;
  return [risk, apiVersion, kind, namespace, name, path].join(" ");
}

/** The table of known bugs keeps its clusters apart, one that it hits for each entry. */
function entryReplays(): readonly Replay[] {
  return ENTRIES.filter(({ certainty }) => certainty === "risk").flatMap((entry) => {
    const [fixture, [affected]] = [FIXTURES[entry.id], entry.versions];
    if (!fixture || !affected) return [];
    const source = sourceOf(affected);
    const past = { history: fixture.hitHistory, capabilities: fixture.hitCapabilities };
    const isFoundIn = ({ risks }: Result): boolean => risks.some(({ name }) => name === entry.name);
    return [
      {
        id: `known-bugs/${entry.id}`,
        check: "known-bugs",
        source: minorOf(source),
        isRisk: true,
        cluster: () => recorded(clusterOf(source, fixture.hit, past)),
        judge: (reader: Reader) => runKnownBugs(reader, affected.first),
        compared: (said: Result) => ({ said: isFoundIn(said) ? entry.name : said, expected: entry.name }),
        isFoundIn,
      },
    ];
  });
}

/** Only objects: of a kind that a cluster has anyway, an entry's few are not all. */
function recorded(answers: ReturnType<typeof clusterOf>): JsonObject {
  return Object.fromEntries(
    Object.entries(answers).flatMap(([path, answer]) =>
      isObject(answer) && "metadata" in answer ? [[path, answer]] : [],
    ),
  );
}

function minorOf(version: string): string {
  return version.split(".").slice(0, 2).join(".");
}
