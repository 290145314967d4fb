import { parseDocuments } from "../../../encoding/yaml.ts";
import { readTextFile } from "../../../files/named-file.ts";
import type { FleetCluster } from "../../../format/fleet/cluster.ts";
import { type Fleet, buildFleet } from "../../../format/fleet/fleet.ts";
import { type GroupRule, type ListedGroup, matchesPattern } from "../../../format/fleet/groups.ts";
import { fleetFormats } from "../../../format/fleet/index.ts";
import { UsageError, formatError } from "../../../model/errors.ts";
import { type Json, isList, isObject } from "../../../model/json.ts";
import { VERSION } from "../../../model/program-version.ts";
import { summarizeNames } from "../../../model/text.ts";
import { parseImageReference } from "../../../release/image/reference.ts";
import { parseChecks } from "../../checks/check-selection.ts";
import { withCheckSet } from "../../checks/check-set.ts";
import { type Io, warn } from "../../io/io.ts";
import { collectAcceptances } from "../../session/acceptances.ts";
import { type Style, getChildExitCode, getExitCode, printResult } from "../../session/result.ts";
import { announceConfig } from "../../settings/config-file.ts";
import { requireTargetRequest } from "../../target-release/target-of-version.ts";
import { NO_TARGET } from "../../target-release/target.ts";
import { requireGraphFile } from "../../target-release/update-graph.ts";
import { buildPageLinks, findClusterPages, serveClusters } from "./cluster-check.ts";
import type { FleetValues, LoadedFleetValues } from "./definition.ts";
import { type FleetSource, findSources, listHosted, readEarlier } from "./sources.ts";
import { type ListedCluster, listClusters, numberNames } from "./fleet-clusters.ts";
import { type FleetRunInput, runFleet } from "./fleet-run.ts";
import { createResultContext } from "./results.ts";
import { addManaged, readWrittenResults } from "./written-results.ts";

const HOUR_MS = 60 * 60 * 1_000;

/** Checks many clusters, or reads what they wrote, and prints them by their risks; resolves with the exit code. */
export async function run(given: FleetValues, io: Io): Promise<0 | 1 | 2 | 3 | 4> {
  // Of several processes, the first says what is wrong with them.
  const values = await withCheckSet(given, io.parent ? { ...io, err: () => {} } : io);
  if (io.parent) return serveClusters(values, io, io.parent);
  const { config } = values;
  const isWritten = values.from.length > 0;
  announceConfig(config, isWritten || values.results !== undefined, io);
  const maxAge = values["max-age"] ?? (isWritten ? 24 * HOUR_MS : HOUR_MS);
  const acceptances = collectAcceptances(values);
  const context = createResultContext(io.now(), maxAge, acceptances, values.checkSet.checks);
  const groupBy = await readGroupRule(values["group-by"]);
  const earlier = await readEarlier(values.since, context);
  const read = await (isWritten ? readFrom : readLive)({ values, context, io });
  if (read.kind === "exited") return getChildExitCode(read.code);
  requireGroups(groupBy, read.clusters, io);
  return print(buildFleet({ ...read, now: io.now(), groupBy, earlier }), values, io);
}

type FleetRead =
  | { readonly kind: "read"; readonly clusters: readonly FleetCluster[]; readonly target: string | undefined }
  | { readonly kind: "exited"; readonly code: number };

async function readLive(input: FleetRunInput): Promise<FleetRead> {
  const { values, io } = input;
  const target = requireFleetTarget(values);
  const share = parseShare(values.share);
  await requireGraphFile(values.graph);
  const listed = await listClusters(values, io);
  const all = values["hosted-clusters"] ? await listHosted(listed, io) : listed;
  const clusters = all.filter((_, i) => share === undefined || isInShare(i, share));
  const end = await runFleet(clusters, input);
  return end.kind === "exited" ? end : { ...end, kind: "read", target };
}

/** What clusters wrote is shown, and what was recorded of them is checked first. */
async function readFrom(input: FleetRunInput): Promise<FleetRead> {
  const { values, context } = input;
  const sources = await findSources("from", values.from);
  const recorded = sources.flatMap(({ kind, name, path }) => (kind === "results" ? [] : [{ name, [kind]: path }]));
  const target = recorded.length === 0 ? undefined : requireRecordedTarget(sources, values);
  if (target !== undefined) await requireGraphFile(values.graph);
  const written = await readWrittenResults(sources, context);
  const names = new Set(written.clusters.map(({ name }) => name));
  const listed = numberNames(recorded).map((one): ListedCluster => {
    return { kind: "reachable", ...one, name: names.has(one.name) ? `${one.name} (recorded)` : one.name };
  });
  const end = listed.length === 0 ? NOTHING_RECORDED : await runFleet(listed, input);
  if (end.kind === "exited") return end;
  const clusters = addManaged({ ...written, clusters: [...written.clusters, ...end.clusters] });
  return { kind: "read", clusters, target };
}

const NOTHING_RECORDED = { kind: "done", clusters: [] } as const;

/** Objects say nothing of an update without a target, and monitoring is not among them. */
function requireRecordedTarget(sources: readonly FleetSource[], values: LoadedFleetValues): string {
  const first = sources.find(({ kind }) => kind !== "results")?.path ?? "";
  if (values.promql !== undefined)
    throw new UsageError(`--promql asks the monitoring of a live cluster, and ${first} was recorded: remove it`);
  if (findTargetName(values) === undefined)
    throw new UsageError(
      `${first} holds a cluster's objects and no result: say what to check it against with --to VERSION or --target DIR`,
    );
  return requireFleetTarget(values);
}

async function print(fleet: Fleet, { output, "fail-on": failOn }: FleetValues, io: Io): Promise<0 | 3 | 4> {
  const hasPage = output.files.some(({ format }) => format === "html");
  const pages = await findClusterPages(hasPage ? fleet.columns : []);
  const formatAs = (format: typeof output.stdout, style: Style, file?: string): string => {
    const reports = file === undefined ? new Map() : buildPageLinks(pages, file);
    return fleetFormats[format](fleet, { ...style, reports, runnerVersion: VERSION });
  };
  await printResult(output, formatAs, io);
  const verdicts = fleet.columns.map(({ verdict }) => verdict);
  // Of no cluster, nothing is known.
  return getExitCode(verdicts.length === 0 ? ["incomplete"] : verdicts, failOn);
}

const FLAGS = ["to", "to-image", "target", "target-version", "crds"] as const;

/** What the fleet is checked against, in the words of the flags. Finds wrong usage before the first cluster is read. */
function requireFleetTarget(values: LoadedFleetValues): string {
  parseChecks(values);
  if (values.to !== undefined) requireTargetRequest(values.to);
  if (values["to-image"] !== undefined) parseImageReference(values["to-image"]);
  const named = findTargetName(values);
  if (named !== undefined) return values["target-version"] ?? named;
  throw new UsageError(`${NO_TARGET}, or show results with --from DIR`);
}

function findTargetName(values: LoadedFleetValues): string | undefined {
  return FLAGS.map((flag) => values[flag]).find((value) => value !== undefined);
}

/** A part of the clusters: every `count`th of them, from the `index`th on. */
type Share = { readonly index: number; readonly count: number };

function parseShare(text: string | undefined): Share | undefined {
  if (text === undefined) return undefined;
  const [, index, count] = /^(\d{1,6})\/(\d{1,6})$/.exec(text) ?? [];
  const share = { index: Number(index), count: Number(count) };
  if (share.index < share.count) return share;
  throw new UsageError(
    `--share "${text}" is not INDEX/COUNT with an INDEX from 0 to COUNT - 1: use a form such as 3/10`,
  );
}

/** `position`: of the cluster among all, which are in the order of their names. */
function isInShare(position: number, { index, count }: Share): boolean {
  return position % count === index;
}

const MAX_BYTES = 4 * 1024 * 1024;
const FORM = "label=KEY, name=1 or a file such as {canary: [lab-1], production: ['prod-*']}";

/** What --group-by says. Throws a UsageError that says what to write. */
async function readGroupRule(text: string | undefined): Promise<GroupRule | undefined> {
  if (text === undefined) return undefined;
  const [, kind, value = ""] = /^(label|name)=(.*)$/s.exec(text) ?? [];
  if (kind === "label" && value !== "") return { kind: "label", key: value };
  if (kind === "name" && /^[1-9]\d?$/.test(value)) return { kind: "part", number: Number(value) };
  if (kind !== undefined) throw new UsageError(`--group-by "${text}" is incomplete: write ${FORM}`);
  return { kind: "list", groups: parseGroups(await readGroupFile(text), text) };
}

async function readGroupFile(path: string): Promise<string> {
  try {
    return await readTextFile(path, MAX_BYTES);
  } catch (thrown) {
    throw new UsageError(`--group-by ${path} can't be read: ${formatError(thrown)}; write ${FORM}`);
  }
}

function parseGroups(text: string, path: string): readonly ListedGroup[] {
  const parsed = parseDocuments(text);
  const [value] = parsed.kind === "documents" ? parsed.documents : [];
  if (parsed.kind === "invalid" || !isObject(value) || Object.keys(value).length === 0)
    throw new UsageError(`--group-by ${path} is not a list of groups: write ${FORM}`);
  return Object.entries(value).map(([name, patterns]) => ({ name, patterns: parsePatterns(patterns, name, path) }));
}

function parsePatterns(value: Json | undefined, group: string, path: string): readonly string[] {
  const names = isList(value) ? value : [value];
  return names.map((name) => {
    if (typeof name === "string" || typeof name === "number") return `${name}`;
    throw new UsageError(`--group-by ${path}: group ${group} is not a list of names of clusters: write ${FORM}`);
  });
}

/** A rule that groups nothing is wrong usage; a name that no cluster has is said. */
function requireGroups(rule: GroupRule | undefined, clusters: readonly FleetCluster[], io: Io): void {
  if (rule === undefined) return;
  if (rule.kind === "label" && clusters.every(({ managed }) => managed === undefined))
    throw new UsageError(
      `--group-by label=${rule.key} needs the labels of the clusters: add what "oc get managedclusters -o json" prints to --from`,
    );
  if (rule.kind !== "list") return;
  const patterns = rule.groups.flatMap((group) => group.patterns);
  const unused = patterns.filter((pattern) => !clusters.some(({ name }) => matchesPattern(pattern, name)));
  if (unused.length > 0) warn(`No cluster is called ${summarizeNames(unused)}, as --group-by says`, io);
}
