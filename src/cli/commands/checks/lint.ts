import { stat } from "node:fs/promises";
import type { CheckDefinition } from "../../../data-checks/format/definition.ts";
import type { CheckFault, CheckText, DocumentPlace, PlacedFault } from "../../../data-checks/format/fault.ts";
import { parseChecks } from "../../../data-checks/format/parse.ts";
import { BUILT_IN_KINDS } from "../../../data-checks/kinds/built-in-kinds.ts";
import { buildCustomKinds } from "../../../data-checks/kinds/custom-kinds.ts";
import type { KindTable } from "../../../data-checks/kinds/kind.ts";
import { type GivenLimits, type SourceText, compareFaults, loadChecks } from "../../../data-checks/load.ts";
import { findLongSentences } from "../../../data-checks/sentences.ts";
import { type YamlNode, parseNodes } from "../../../encoding/yaml-nodes.ts";
import { parseDocuments } from "../../../encoding/yaml.ts";
import type { CheckSource } from "../../../model/check-origin.ts";
import { type Crd, parseCrd } from "../../../model/crd.ts";
import { CRD_RESOURCE } from "../../../model/custom-kind.ts";
import { FailedError } from "../../../model/errors.ts";
import { type Json, type JsonObject, isObject } from "../../../model/json.ts";
import { VERSION } from "../../../model/program-version.ts";
import { formatGroupResource } from "../../../model/resource.ts";
import { formatCount, joinNames } from "../../../model/text.ts";
import { CHECKS_LABEL, parseCheckTexts } from "../../../release/payload/check-texts.ts";
import { readPayload } from "../../../release/payload/payload-reader.ts";
import type { Payload } from "../../../release/payload/payload.ts";
import { collectObjects, requireRead } from "../../checks/custom-kinds.ts";
import { isBugList } from "../../checks/known-bugs.ts";
import { listTakenNames } from "../../checks/risk-names.ts";
import { withSession } from "../../client/connection.ts";
import type { Io } from "../../io/io.ts";
import { printResult } from "../../session/result.ts";
import { readCrdInput } from "../../target-release/crds.ts";
import { readImageFolder } from "../../target-release/image-target.ts";
import { formatWarnings, printSkipped } from "../../target-release/target.ts";
import { namesCluster } from "./case-cluster.ts";
import { isError, judgeTexts, readCheckTexts } from "./check-texts.ts";
import type { LintChecksValues } from "./definition.ts";
import { faultFormats } from "./fault-formats.ts";

/** Loads the checks as --checks does, and those of manifests as a release's unless --as says otherwise, and says all that is wrong with them. */
export async function run(values: LintChecksValues, io: Io): Promise<0 | 3 | 4> {
  const { files, as, output, strict, config } = values;
  const texts = await readCheckTexts(files);
  const unknown = new Set<string>();
  const kinds = noteUnknown(await readKnownKinds(values, io), unknown);
  const owner = { source: buildSource(as), isShared: as !== "site", programs: config?.programs, kinds };
  const faults = (await listFaults(texts, owner)).toSorted(compareFaults);
  const report = { version: VERSION, files: texts.length, faults };
  await printResult(output, (name) => faultFormats[name](report), io);
  io.err(formatSummary(faults, texts.length));
  if (unknown.size > 0) io.err(formatUnknownKinds([...unknown].toSorted()));
  if (faults.some(isError)) return 3;
  return strict && faults.length > 0 ? 4 : 0;
}

/** `unknown` gets the names of kinds whose fields nobody knows: of these, no mistake in a field is found. */
function noteUnknown({ find }: KindTable, unknown: Set<string>): KindTable {
  return {
    find(resource) {
      const kind = find(resource);
      if (kind === undefined) unknown.add(formatGroupResource(resource));
      return kind;
    },
  };
}

function formatUnknownKinds(names: readonly string[]): string {
  return `The fields of ${joinNames(names)} are not known, so no mistake in them is found. Name their definitions with --crds, --target or a cluster.\n`;
}

/** Whose checks are judged. */
type CheckOwner = Pick<GivenLimits, "programs" | "kinds"> & {
  readonly source: CheckSource;
  readonly isShared: boolean;
};

function buildSource(as: LintChecksValues["as"]): CheckSource {
  if (as === "payload") return { kind: as, release: "" };
  return as === "operator" ? { kind: as, package: "operator", version: "" } : { kind: "site" };
}

async function listFaults(texts: readonly CheckText[], owner: CheckOwner): Promise<readonly CheckFault[]> {
  if (isBugList(texts)) return (await judgeTexts(texts, owner.kinds)).faults;
  const manifests = texts.map((text) => findManifestTexts(text));
  const own = texts.filter((_, i) => manifests[i] === undefined);
  const shipped = manifests.flatMap((one) => one ?? []);
  const byName = new Map(shipped.map((one) => [one.source.name, one]));
  const ofRelease = await listSourceFaults(
    shipped.map(({ source }) => source),
    owner.isShared ? owner : { source: buildSource("payload"), isShared: true, kinds: owner.kinds },
  );
  return [
    ...(await listSourceFaults(own, owner)),
    ...ofRelease.map((fault) => byName.get(fault.file)?.locate(fault) ?? fault),
  ];
}

async function listSourceFaults(
  texts: readonly SourceText[],
  { source, isShared, ...given }: CheckOwner,
): Promise<readonly CheckFault[]> {
  const owned = texts.map((text) => ({ ...text, isShared }));
  const { faults } = await loadChecks(owned, source, listTakenNames(), given);
  const warnings = await Promise.all(texts.flatMap((text) => ("text" in text ? [listTextWarnings(text)] : [])));
  return [...faults, ...warnings.flat()];
}

function formatSummary(faults: readonly CheckFault[], files: number): string {
  const errors = faults.filter(isError).length;
  const warnings = faults.length - errors;
  const found = [
    ...(errors > 0 ? [formatCount(errors, "error")] : []),
    ...(warnings > 0 ? [formatCount(warnings, "warning")] : []),
  ];
  return `${found.join(" and ") || "No mistakes"} in ${formatCount(files, "file")}.\n`;
}

/** A file of checks in a ConfigMap of a release's manifest. `locate`: where a fault of it stands in the manifest. */
export type ManifestText = { readonly source: SourceText; readonly locate: (fault: CheckFault) => CheckFault };

/** The files of checks in a manifest; undefined if the text has no ConfigMap. */
function findManifestTexts({ name, text }: CheckText): readonly ManifestText[] | undefined {
  const parsed = parseDocuments(text);
  if (parsed.kind === "invalid") return undefined;
  const maps = parsed.documents.filter(isConfigMap);
  if (maps.length === 0) return undefined;
  const found = maps.flatMap((map) => parseCheckTexts(map) ?? []);
  if (found.length === 0) return [{ source: { name, problem: NO_LABEL }, locate: (fault) => fault }];
  const blocks = (parseNodes(text) ?? []).flatMap((node) => listBlocks(node, text));
  return found.map((source) => {
    const block = "text" in source ? blocks.find((one) => one.value === source.text) : undefined;
    const own = { ...source, name: `${name} (${source.name})` };
    return { source: own, locate: (fault) => (block === undefined ? fault : moveFault(fault, name, block)) };
  });
}

const NO_LABEL = `its ConfigMap has no label ${CHECKS_LABEL}, so a release with it brings no check`;

function isConfigMap(document: Json): document is JsonObject {
  return isObject(document) && document["kind"] === "ConfigMap";
}

/** A value that stands in the manifest line by line, below "|". */
type Block = { readonly value: string; readonly line: number; readonly indent: number };

function listBlocks(node: YamlNode, text: string): readonly Block[] {
  if (node.kind === "map") return node.entries.flatMap(({ value }) => listBlocks(value, text));
  if (node.kind !== "scalar") return [];
  const lines = text.slice(node.offset, node.end).split("\n");
  const indent = (lines[0] ?? "").search(/\S/);
  if (indent < 1 || lines.map((line) => line.slice(indent)).join("\n") !== node.text) return [];
  return [{ value: node.text, line: text.slice(0, node.offset).split("\n").length, indent }];
}

function moveFault(fault: CheckFault, file: string, { line, indent }: Block): CheckFault {
  const lineText = " ".repeat(indent) + fault.lineText;
  return { ...fault, file, line: fault.line + line - 1, column: fault.column + indent, lineText };
}

/** What people may stumble over in the texts of sound checks. */
export async function listTextWarnings(text: CheckText): Promise<readonly CheckFault[]> {
  const { checks } = await parseChecks(text);
  return checks.flatMap(({ definition, locate }) =>
    definition === undefined
      ? []
      : [...listTitles(definition).flatMap(judgeTitle), ...listSentences(definition).flatMap(judgeSentence)].map(
          locate,
        ),
  );
}

type PlacedText = { readonly place: DocumentPlace; readonly text: string };

function listTitles({ spec }: CheckDefinition): readonly PlacedText[] {
  const { title, risks = [] } = spec;
  const ofRisks = risks.map((risk, i) => ({ place: ["spec", "risks", i, "title"], text: risk.title }));
  return [{ place: ["spec", "title"], text: title }, ...ofRisks];
}

/** Titles stand in tables and lists. */
function judgeTitle({ place, text }: PlacedText): readonly PlacedFault[] {
  const message = "a title has no full stop";
  const span = { start: text.length - 1, end: text.length };
  return /[.!]$/.test(text) ? [{ severity: "warning", place, message, hint: "leave it out", span }] : [];
}

function listSentences({ spec }: CheckDefinition): readonly PlacedText[] {
  const { risks = [], notices = [] } = spec;
  return [
    ...risks.flatMap(({ message, remediation, findings }, i) => [
      { place: ["spec", "risks", i, "message"], text: message },
      { place: ["spec", "risks", i, "remediation"], text: remediation },
      ...findings.map((one, k) => ({ place: ["spec", "risks", i, "findings", k, "message"], text: one.message })),
    ]),
    ...notices.map(({ message }, i) => ({ place: ["spec", "notices", i, "message"], text: message })),
  ];
}

/** A command at the end, which is copied, has no full stop behind it. */
const WHOLE = /[.!?]"?$|\b(?:oc|kubectl) [^.]*$/;

function judgeSentence({ place, text }: PlacedText): readonly PlacedFault[] {
  const warn = (message: string, part: string, start = Math.max(text.indexOf(part), 0)): PlacedFault => ({
    severity: "warning",
    place,
    message,
    span: { start, end: start + part.length },
  });
  // A value in a text may be a list of names: it counts as one word.
  const plain = text.replaceAll(/\$\{[^}]*\}/g, "…");
  const end = /\S+$/.exec(text)?.[0] ?? text;
  const please = /\bplease\b/i.exec(text)?.[0];
  return [
    ...findLongSentences(plain).map((sentence) => {
      const [first = ""] = sentence.split("…");
      return warn("this sentence has more than 25 words: make it two", first.trimEnd());
    }),
    ...(please === undefined ? [] : [warn("people read this at work: say what to do, without please", please)]),
    ...(WHOLE.test(text) ? [] : [warn("it does not end as a sentence does", end, text.length - end.length)]),
  ];
}

/** The kinds whose fields are known: Kubernetes' own, and those of the definitions that the values name. */
async function readKnownKinds(values: LintChecksValues, io: Io): Promise<KindTable> {
  const { crds: path, target } = values;
  const crds = [
    ...(path === undefined ? [] : await readCrdFiles(path, io)),
    ...(target === undefined ? [] : await readReleaseCrds(target, values, io)),
    ...(await readClusterCrds(values, io)),
  ];
  const custom = buildCustomKinds(crds);
  return { find: (resource) => BUILT_IN_KINDS.find(resource) ?? custom.find(resource) };
}

/** All variants of each definition, whichever of them a cluster has. What can't be used is told: its fields are not known. */
function listCrds(payload: Payload, io: Io): readonly Crd[] {
  printSkipped(formatWarnings({ ...payload, warnings: [...payload.warnings, ...payload.problems] }), io);
  return payload.manifests.flatMap(({ crd }) => crd ?? []);
}

async function readCrdFiles(path: string, io: Io): Promise<readonly Crd[]> {
  const input = await readCrdInput(path);
  if (input.kind === "failed") throw new FailedError(input.failure.message);
  return listCrds(input.payload, io);
}

/** What is no folder is an image. */
async function readReleaseCrds(target: string, values: LintChecksValues, io: Io): Promise<readonly Crd[]> {
  const isThere = (await stat(target).catch(() => undefined)) !== undefined;
  const read = await readPayload([isThere ? target : await readImageFolder(target, values, io)], {});
  if (read.kind === "failed") throw new FailedError(read.failure.message);
  return listCrds(read.payload, io);
}

async function readClusterCrds(values: LintChecksValues, io: Io): Promise<readonly Crd[]> {
  if (!namesCluster(values)) return [];
  return withSession(values, io, async ({ reader }) => {
    const { found, unknowns } = await collectObjects(CRD_RESOURCE, parseCrd, reader, io.stopSignal);
    requireRead(unknowns);
    return found;
  });
}
