import { basename, relative } from "node:path";
import { type FileText, readYamlFiles } from "../../../files/yaml-files.ts";
import { formatCount, sortNames } from "../../../model/text.ts";
import { FailedError, UsageError } from "../../../model/errors.ts";
import { type ArtefactFile, isArtefactPath, MAX_ARTEFACT_FILES } from "../../../release/image/artefact/artefact.ts";
import { packArtefact } from "../../../release/image/artefact/pack-artefact.ts";
import type { Io } from "../../io/io.ts";
import { writeOutputFile } from "../../session/result.ts";
import { type JudgedTexts, readCheckTexts, judgeTexts, printErrors } from "./check-texts.ts";
import type { PackChecksValues } from "./definition.ts";
import checkSchema from "../../../../schemas/preflight-check-v1alpha1.schema.json" with { type: "json" };
import bugsSchema from "../../../../schemas/preflight-known-bugs-v1alpha1.schema.json" with { type: "json" };
import { listUsedFields, listUsedFunctions } from "../../../data-checks/format/parse.ts";
import { parseDocuments } from "../../../encoding/yaml.ts";
import type { Json, JsonObject } from "../../../model/json.ts";

/** Writes the artefact, and prints the digest that names it. */
export async function run({ folder, output }: PackChecksValues, io: Io): Promise<0 | 3> {
  if (!output.endsWith(".tar")) throw new UsageError(`--output ${output} does not end with .tar`);
  const judged = await judgeTexts(await readCheckTexts([folder]));
  if (printErrors(judged.faults, io)) return 3;
  const files = await readFiles(folder);
  const { config, name, what } = buildConfig(judged, files);
  const { tar, digest } = await packArtefact(files, config, name);
  await writeOutputFile(output, tar);
  io.out(`${digest}\n`);
  io.err(`Wrote ${what} with ${formatCount(files.length, "file")} to ${output}.\n`);
  return 0;
}

/** With the cases. */
async function readFiles(folder: string): Promise<readonly ArtefactFile[]> {
  const files = (await readYamlFiles(folder, { maxBytes: 1 << 20, maxFiles: MAX_ARTEFACT_FILES })) ?? [];
  return files.map((file) => toArtefactFile(folder, file));
}

function toArtefactFile(folder: string, file: FileText): ArtefactFile {
  if (file.kind === "unread") throw new FailedError(`${file.name} can't be read: ${file.message}`);
  const path = relative(folder, file.name) || basename(file.name);
  if (isArtefactPath(path)) return { path, text: file.text };
  throw new FailedError(
    `${file.name} can't be packed: use letters, digits, dashes, dots and underscores in the names of its files`,
  );
}

/** What an artefact says of itself. `name`: in its layout; `what`: in words. */
type ArtefactFacts = { readonly config: JsonObject; readonly name: string; readonly what: string };

function buildConfig(judged: JudgedTexts, files: readonly ArtefactFile[]): ArtefactFacts {
  const documents = files.filter(({ path }) => !isCase(path)).flatMap(parse);
  const apiVersion = "preflight.openshift.io/v1alpha1";
  const schema = judged.kind === "checks" ? checkSchema : bugsSchema;
  const requires = {
    functions: listUsedFunctions(documents),
    fields: listUsedFields(documents, schema, schema.definitions),
  };
  if (judged.kind === "checks")
    return {
      config: { apiVersion, kind: "PreflightCheck", requires, checks: sortNames(judged.ids) },
      name: "checks",
      what: formatCount(judged.ids.length, "check"),
    };
  const { head, entries = [] } = judged.list ?? {};
  const { name = "", date = "", knownUpTo = "", source } = head ?? {};
  const checks = sortNames(entries.map((entry) => entry.name));
  return {
    config: {
      name,
      date,
      apiVersion,
      kind: "KnownBugs",
      knownUpTo,
      requires,
      checks,
      ...(source === undefined ? {} : { source }),
    },
    name: date,
    what: `${formatCount(entries.length, "known bug")} of ${date}`,
  };
}

function isCase(path: string): boolean {
  return path.split("/").slice(0, -1).includes("cases");
}

function parse({ text }: ArtefactFile): readonly Json[] {
  const parsed = parseDocuments(text);
  return parsed.kind === "documents" ? parsed.documents : [];
}
