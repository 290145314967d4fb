import comparisonSchema from "../../../../schemas/preflight-comparison-v1.schema.json" with { type: "json" };
import { type ComparedResult, buildComparedResult } from "../../../format/comparison/compared-result.ts";
import { compareResults } from "../../../format/comparison/comparison.ts";
import { buildComparisonJson } from "../../../format/comparison/index.ts";
import { parseResult } from "../../../format/result/result.ts";
import { compareRisks } from "../../../format/view/view.ts";
import { FURTHER_RISKS } from "../../../model/document.ts";
import { FailedError, UsageError } from "../../../model/errors.ts";
import type { Json, JsonObject } from "../../../model/json.ts";
import { at, isObject, listAt, objectAt, objectsAt, parseObject, textAt, textsAt } from "../../../model/json.ts";
import { matchesRequest, parseTargetRequest } from "../../../release/graph/target-request.ts";
import { readResultFile } from "../../io/result-file.ts";
import { toSetting } from "../../settings/shared-settings.ts";
import type { ReleaseFolder } from "../plan/cluster-plan.ts";
import type { ObjectSchema, RunCommand, Tool } from "./schemas.ts";
import {
  buildInput,
  buildSelectionProperties,
  checkOutput,
  describeText,
  explainOutput,
  findCount,
  findText,
  findTexts,
  formatFlag,
  formatFlags,
  planOutput,
  requireText,
} from "./schemas.ts";

/** What the server was started with. */
export type ToolOptions = {
  readonly runCommand: RunCommand;
  /** Flags of the cluster, the registries and the limits, for `check` and `plan`. */
  readonly flags: readonly string[];
  /** Those of them that `explain` has too. */
  readonly checks: readonly string[];
  readonly folders: readonly ReleaseFolder[];
  readonly now: () => Date;
  /** Whether a call may name the context. */
  readonly hasContext: boolean;
};

const DEFAULT_OBJECTS = 10;
/** Results that `compare` can refer to. */
const MAX_RESULTS = 20;

export function createTools(options: ToolOptions): readonly Tool[] {
  const results = new Map<string, ComparedResult>();
  return [
    createCheckTool(options, results),
    createPlanTool(options),
    createExplainTool(options),
    createCompareTool(results, options.now),
  ];
}

function createCheckTool(options: ToolOptions, results: Map<string, ComparedResult>): Tool {
  let count = 0;
  return {
    name: "check",
    title: "Check one update",
    description:
      "Reads the cluster and lists the risks of its update to one release: in the order of work with objects and commands, and what could not be checked. For an update over several minors use plan.",
    inputSchema: buildInput({
      to: describeText(toSetting.describe),
      targetVersion: describeText(
        "Version of the target, if its release can't be read: only checks that need no manifests; v1.36 for Kubernetes without OpenShift",
      ),
      ...buildSelectionProperties(options.hasContext),
    }),
    outputSchema: checkOutput,
    run: async (given, signal) => {
      const words = [...options.flags, ...buildTargetFlags(given, options.folders), ...buildSelectionFlags(given)];
      const { code, out, warnings } = await options.runCommand(["check", "-o", "json", ...words], signal);
      const result = requireObject(out);
      count += 1;
      const resultId = `check-${count}`;
      keepResult(results, resultId, result, options.now());
      return { resultId, verdict: getVerdict(code), warnings, ...digestResult(result, getMaxObjects(given)) };
    },
  };
}

/** A release in a folder comes before one that has to be fetched. */
function buildTargetFlags(given: JsonObject, folders: readonly ReleaseFolder[]): readonly string[] {
  const to = findText(given, "to");
  const version = findText(given, "targetVersion");
  if (to === undefined && version === undefined) throw new UsageError("give the argument to, or targetVersion");
  if (to !== undefined && version !== undefined) throw new UsageError("give either to or targetVersion");
  if (to === undefined) return [formatFlag("target-version", version ?? "")];
  const request = parseTargetRequest(to);
  const folder = request && folders.find((one) => matchesRequest(request, one.version));
  return [folder === undefined ? formatFlag("to", to) : formatFlag("target", folder.path)];
}

function buildSelectionFlags(given: JsonObject): readonly string[] {
  const context = findText(given, "context");
  return [
    ...(["only", "skip", "accept"] as const).flatMap((name) => formatFlags(name, findTexts(given, name))),
    ...(context === undefined ? [] : [formatFlag("context", context)]),
  ];
}

function getMaxObjects(given: JsonObject): number {
  return findCount(given, "maxObjects", DEFAULT_OBJECTS);
}

function requireObject(out: string): JsonObject {
  const value = parseObject(out);
  if (value === undefined) throw new FailedError("preflight printed no result");
  return value;
}

function getVerdict(code: number): string {
  if (code === 3) return "risks";
  return code === 4 ? "incomplete" : "clear";
}

function keepResult(results: Map<string, ComparedResult>, id: string, result: JsonObject, now: Date): void {
  results.set(id, buildComparedResult(result, { label: id, accept: [], now }));
  const [oldest] = results.keys();
  if (results.size > MAX_RESULTS && oldest !== undefined) results.delete(oldest);
}

function createPlanTool(options: ToolOptions): Tool {
  return {
    name: "plan",
    title: "Plan the updates to a version",
    description:
      "Finds the updates that lead to a version and checks each with its own release: what to do before each step, what can wait, and what shows only once the step before is done.",
    inputSchema: buildInput(
      {
        to: describeText(toSetting.describe),
        ...buildSelectionProperties(options.hasContext),
      },
      ["to"],
    ),
    outputSchema: planOutput,
    run: async (given, signal) => {
      const releases = formatFlags(
        "release",
        options.folders.map(({ path }) => path),
      );
      const words = [
        ...options.flags,
        ...releases,
        formatFlag("to", requireText(given, "to")),
        ...buildSelectionFlags(given),
      ];
      const { code, out, warnings } = await options.runCommand(["plan", "-o", "json", ...words], signal);
      const { format: _format, runner: _runner, cluster: _cluster, accepted: _accepted, ...plan } = requireObject(out);
      const steps = objectsAt(plan, "steps");
      const digests = steps.map((step) => digestStep(step, getMaxObjects(given)));
      return { ...plan, verdict: getVerdict(code), steps: digests, warnings };
    },
  };
}

function digestStep({ result, ...step }: JsonObject, maxObjects: number): JsonObject {
  return result === undefined ? step : { ...digestResult(objectAt({ result }, "result"), maxObjects), ...step };
}

/** Nothing else can be a name or words of one, least of all a flag. */
const NAME = /^[A-Za-z][\w -]*$/;

function createExplainTool({ runCommand, checks }: ToolOptions): Tool {
  return {
    name: "explain",
    title: "Explain a risk or a check",
    description:
      "What a risk or a check is about: who is concerned, in which releases, how sure it is, the effect, and what to do. Reads no cluster.",
    inputSchema: buildInput(
      { name: describeText("Name of a risk, id of a check, or words that their names and titles have") },
      ["name"],
    ),
    outputSchema: explainOutput,
    run: async (given, signal) => {
      const name = requireText(given, "name");
      if (!NAME.test(name)) throw new UsageError(`no check or risk is called "${name}"`);
      const { out } = await runCommand(["explain", ...checks, name], signal);
      return { name, text: out };
    },
  };
}

const { $schema: _schema, ...comparison } = comparisonSchema;
const COMPARISON: ObjectSchema = { ...comparison, type: "object" };

function createCompareTool(results: ReadonlyMap<string, ComparedResult>, now: () => Date): Tool {
  const which =
    "resultId of an earlier check of this session, or a file with a result of 'preflight check -o json' or a document";
  return {
    name: "compare",
    title: "Compare two results",
    description:
      "What is new, changed, gone or no longer known between two results. A risk is gone only if its check was completed again. Reads no cluster.",
    inputSchema: buildInput(
      { old: describeText(`The earlier result: ${which}`), new: describeText(`The later result: ${which}`) },
      ["old", "new"],
    ),
    outputSchema: COMPARISON,
    run: async (given) => {
      const find = (name: string): Promise<ComparedResult> => findResult(given, name, results, now());
      const old = await find("old");
      const later = await find("new");
      const value: unknown = JSON.parse(JSON.stringify(buildComparisonJson(compareResults(old, later))));
      if (!isObject(value)) throw new FailedError("the comparison is empty");
      return value;
    },
  };
}

async function findResult(
  given: JsonObject,
  name: string,
  results: ReadonlyMap<string, ComparedResult>,
  now: Date,
): Promise<ComparedResult> {
  const text = requireText(given, name);
  const known = results.get(text);
  if (known !== undefined) return known;
  // stdin belongs to the protocol.
  if (text === "-") throw new UsageError(`the argument ${name} must be a resultId or a file`);
  return readResultFile(text, { accept: [], now });
}

/** What an assistant needs of `check -o json`: the risks in the order of work with their first objects, and what is not known. */
function digestResult(result: JsonObject, maxObjects: number): JsonObject {
  const copied = ["sourceVersion", "targetVersion", "clusterID", "observedAt", "complete", "minorsBetween"] as const;
  const recommendation = at(result, "offer", "recommendation");
  return {
    ...select(result, copied),
    ...(recommendation === undefined ? {} : { recommendation }),
    risks: digestRisks(result, maxObjects),
    unknowns: listAt(result, "unseen"),
    notices: listAt(result, "checks").flatMap(listNotices),
  };
}

function select(value: Json, keys: readonly string[]): JsonObject {
  const entries = keys.map((key) => [key, at(value, key)] as const);
  const present: Record<string, Json> = {};
  for (const [key, one] of entries) if (one !== undefined) present[key] = one;
  return present;
}

/** Without those of incomplete checks, which the unknowns are about. */
function digestRisks(result: JsonObject, maxObjects: number): readonly Json[] {
  const { risks } = parseResult(result);
  const findings = Map.groupBy(
    listAt(result, "checks").flatMap((check) => listAt(check, "findings")),
    (finding) => textAt(finding, "risk"),
  );
  const origins = new Map(listAt(result, "risks").map((risk) => [textAt(risk, "name"), select(risk, ["origin"])]));
  return risks
    .filter(({ name, unknown }) => !unknown && name !== FURTHER_RISKS)
    .toSorted(compareRisks)
    .map(({ name, effect, leadTime, message, url, check = "", isAccepted = false, omittedPlaces }) => {
      const own = findings.get(name) ?? [];
      const objects = own.slice(0, maxObjects).map(digestFinding);
      const omittedObjects = own.length - objects.length + omittedPlaces;
      const work = { ...(effect && { effect }), ...(leadTime && { leadTime }) };
      return {
        name,
        ...origins.get(name),
        ...work,
        message,
        url,
        check,
        accepted: isAccepted,
        objects,
        omittedObjects,
      };
    });
}

function digestFinding(finding: Json): Json {
  return { ...objectAt(finding, "object"), ...select(finding, ["path", "message", "see", "fix", "fixKind"]) };
}

function listNotices(check: Json): readonly Json[] {
  const id = textAt(check, "id") ?? "";
  return textsAt(check, "notices").map((notice) => ({ check: id, ...select(check, ["origin"]), notice }));
}
