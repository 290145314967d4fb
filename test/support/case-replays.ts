import { isDeepStrictEqual } from "node:util";
import { KNOWN_BUGS } from "../../src/checks/known-bugs/check.ts";
import { checks } from "../../src/checks/index.ts";
import type { Finding } from "../../src/model/check.ts";
import { type Json, type JsonObject, isObject, listAt, objectAt, textAt } from "../../src/model/json.ts";
import type { Reader } from "../../src/model/reader.ts";
import { runKnownBugs, getAffectedSource } from "./checks/known-bugs/cycle.ts";
import { FIXTURES } from "../../verify/fixes/known-bugs/fixtures.ts";
import { buildCluster } from "../../verify/fixes/known-bugs/fake-cluster.ts";
import { type CheckCase, readCase } from "../../src/cases/case-files.ts";
import { caseFiles } from "../../verify/shared/check-folders.ts";
import { buildOpenShiftDefaults, CLUSTER_VERSION, CRDS, DISCOVERY, listDefaultItems } from "../../src/cases/cluster.ts";
import { type Expect, type Result, expectOf, parseExpect } from "../../src/cases/expectation.ts";
import { judgeCase } from "../../src/cases/runner.ts";

/** A recorded cluster that can be loaded, and the check's expected report. */
export type Replay = {
  /** "kubelet-skew/risk-paused-pool" */
  readonly id: string;
  readonly check: string;
  /** The risks that it expects. */
  readonly risks: readonly string[];
  /** The minor that the cluster runs; "" if it isn't OpenShift. */
  readonly source: string;
  readonly isRisk: boolean;
  /** Why it can't be loaded, or its commands can't be run. */
  readonly notReplayed?: string;
  readonly notTried?: string;
  readonly cluster: () => JsonObject;
  readonly judge: (reader: Reader) => Promise<Result>;
  /** The actual and the expected report, reduced to the parts that must be equal. */
  readonly compare: (actual: Result) => { readonly actual: unknown; readonly expected: unknown };
  /** Whether any expected finding is reported. */
  readonly isDetectedIn: (actual: Result) => boolean;
};

/** Every risk or clear case, and each entry of known-bugs that makes a risk. */
export function buildReplays(): readonly Replay[] {
  const files = checks.flatMap((check) => caseFiles(check)).filter(({ name }) => /^(?:risk|clear)-/.test(name));
  return [...files.map((file) => buildCaseReplay(readCase(file))), ...buildEntryReplays()];
}

export function buildCaseReplay(one: CheckCase): Replay {
  const expected = parseExpect(one);
  // The API server itself says which of its APIs are available, why, and since when by its own clock.
  const isServersWord = one.check.id === "apiservices";
  const getEssence = isServersWord ? getLocations : getTexts;
  const expectedKeys = new Set(getFindings(expected).map(buildFindingKey));
  return {
    id: `${one.check.id}/${one.name}`,
    check: one.check.id,
    notReplayed: one.notReplayed,
    notTried: one.notTried,
    risks: [...new Set(getFindings(expected).map(({ risk }) => risk))],
    source: minorOf(textAt(one.cluster, CLUSTER_VERSION, "status", "history", 0, "version") ?? ""),
    isRisk: one.name.startsWith("risk-"),
    cluster: () => withoutDefaultDefinitions(withoutDefaultDiscovery(one.cluster)),
    judge: (reader) => judgeCase(isServersWord ? { ...one, now: new Date() } : one, reader, checks),
    compare: (actual) => ({ actual: getEssence(expectOf(actual)), expected: getEssence(expected) }),
    isDetectedIn: (actual) =>
      getFindings(expectOf(actual)).some((finding) => expectedKeys.has(buildFindingKey(finding))),
  };
}

/** The control plane answers for itself, which is enough unless a case is about what is served. */
function withoutDefaultDiscovery(cluster: JsonObject): JsonObject {
  const { [DISCOVERY]: served, ...objects } = cluster;
  const usual = buildOpenShiftDefaults("4.20.0")[DISCOVERY];
  return isDeepStrictEqual(served, usual) ? objects : cluster;
}

/** The control plane has the real definitions of OpenShift's own kinds. */
function withoutDefaultDefinitions(cluster: JsonObject): JsonObject {
  const list = objectAt(cluster, CRDS);
  if (list["items"] === undefined) return cluster;
  const defaults = listDefaultItems(CRDS, true);
  const items = listAt(list, "items").filter((item) => !defaults.some((one) => isDeepStrictEqual(one, item)));
  return { ...cluster, [CRDS]: { ...list, items } };
}

/** Everything except the notices, which also cover objects that a whole cluster has beyond the case. */
function getTexts({ outcome, findings = [], risks = [] }: Partial<Expect>): Json {
  return JSON.parse(JSON.stringify({ outcome, findings, risks }));
}

function getLocations(actual: Partial<Expect>): Json {
  return [actual.outcome ?? "", ...getFindings(actual).map(buildFindingKey)];
}

function getFindings({ findings = [] }: Partial<Expect>): readonly Finding[] {
  return findings;
}

function buildFindingKey({ risk, object, path }: Finding): string {
  const { apiVersion, kind, namespace, name } = object;
  return [risk, apiVersion, kind, namespace, name, path].join(" ");
}

/** The table of known bugs has its own clusters: an affected one for each entry. */
function buildEntryReplays(): readonly Replay[] {
  return KNOWN_BUGS.filter(({ certainty }) => certainty === "risk").flatMap((entry) => {
    const fixture = FIXTURES[entry.id];
    const [affected] = entry.versions;
    if (!fixture || !affected) return [];
    const source = getAffectedSource(affected);
    const past = { history: fixture.hitHistory, capabilities: fixture.hitCapabilities };
    const isDetectedIn = ({ risks }: Result): boolean => risks.some(({ name }) => name === entry.name);
    return [
      {
        id: `known-bugs/${entry.id}`,
        check: "known-bugs",
        risks: [entry.name],
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

/** Only single objects: a list in an entry is incomplete if every cluster has objects of the kind. */
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

const RELEASES = "4.12 4.13 4.14 4.15 4.16 4.17 4.18 4.19 4.20 4.21 4.22 4.23 5.0".split(" ");

/** The release of the seeded cluster for a case: its own, or the nearest. Kubernetes without OpenShift may use any. */
export function selectRelease({ source }: Replay): string {
  if (RELEASES.includes(source)) return source;
  if (source === "") return "4.18";
  return source.startsWith("5.") ? "5.0" : "4.12";
}
