import { basename, relative } from "node:path";
import { type FileText, readYamlFiles } from "../../../files/yaml-files.ts";
import { formatCount, sortNames } from "../../../model/text.ts";
import { FailedError, UsageError } from "../../../model/errors.ts";
import type { ArtefactFile } from "../../../release/image/artefact.ts";
import { MAX_ARTEFACT_FILES, isArtefactPath, packArtefact } from "../../../release/image/artefact.ts";
import { isCasePath } from "../../checks/given-files.ts";
import { type IndexedPack, formatIndexWith, relateToIndex } from "../../checks/pack-index.ts";
import { parseVersion } from "../../../model/version.ts";
import type { Io } from "../../io/io.ts";
import { writeOutputFile } from "../../session/result.ts";
import { type JudgedTexts, readCheckTexts, judgeTexts, printErrors } from "./check-texts.ts";
import type { PackChecksValues } from "./pack-definition.ts";
import checkSchema from "../../../../schemas/preflight-check-v1alpha1.schema.json" with { type: "json" };
import bugsSchema from "../../../../schemas/preflight-known-bugs-v1alpha1.schema.json" with { type: "json" };
import { listUsedFields, listUsedFunctions } from "../../../data-checks/format/parse.ts";
import { parseDocuments } from "../../../encoding/yaml.ts";
import type { Json, JsonObject } from "../../../model/json.ts";

/** Writes the artefact, and prints the digest that names it. */
export async function run(values: PackChecksValues, io: Io): Promise<0 | 3> {
  const { folder, output, index, claim } = values;
  const given = parseGiven(values);
  const judged = await judgeTexts(await readCheckTexts([folder]));
  if (printErrors(judged.faults, io)) return 3;
  const files = await readFiles(folder);
  const { config, name, what } = buildConfig(judged, files, given);
  const { tar, digest } = await packArtefact(files, config, name);
  const entry = index === undefined || given.pack === undefined ? undefined : buildEntry(judged, given, digest);
  const source = relateToIndex(index ?? "", output);
  const text = entry && (await formatIndexWith(index ?? "", { ...entry, source }));
  await writeOutputFile(output, tar);
  if (text !== undefined) await writeOutputFile(index ?? "", text);
  if (claim !== undefined) await writeOutputFile(claim, formatClaim(digest, given.pack?.name ?? name));
  io.out(`${digest}\n`);
  io.err(`Wrote ${what} with ${formatCount(files.length, "file")} to ${output}.\n`);
  return 0;
}

/** What is said of a pack besides its files. */
type GivenFacts = {
  readonly pack?: { readonly name: string; readonly version: string };
  readonly requires?: string;
};

const ID = /^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/;
const MAX_ID = 40;

/** Throws a UsageError if the flags don't belong together. */
function parseGiven({ output, index, name, requires, "pack-version": version }: PackChecksValues): GivenFacts {
  if (!output.endsWith(".tar")) throw new UsageError(`--output ${output} does not end with .tar`);
  if ((name === undefined) !== (version === undefined))
    throw new UsageError("--name and --pack-version belong together: give both");
  if (index !== undefined && name === undefined)
    throw new UsageError("--index needs --name and --pack-version, by which it lists the pack");
  if (name !== undefined && (!ID.test(name) || name.length > MAX_ID))
    throw new UsageError(`--name "${name}" is not a name: use small letters, digits and dashes, at most ${MAX_ID}`);
  if (requires !== undefined) requireFullVersion("requires", requires);
  if (name === undefined || version === undefined) return { requires };
  requireFullVersion("pack-version", version);
  return { pack: { name, version }, requires };
}

function requireFullVersion(flag: string, version: string): void {
  if (parseVersion(version) === undefined || version.includes("+"))
    throw new UsageError(`--${flag} "${version}" is not a version such as 1.2.3`);
}

/** For the index. */
function buildEntry(
  judged: JudgedTexts,
  { pack, requires }: GivenFacts,
  digest: string,
): Omit<IndexedPack, "source"> | undefined {
  if (pack === undefined || judged.kind === "knownBugs") return undefined;
  return {
    ...pack,
    digest,
    ...(requires === undefined ? {} : { requires: { preflight: requires } }),
    checks: sortNames(judged.ids),
  };
}

/** What an author signs, as a release's image is signed: "gpg --sign" makes the signature of it. */
function formatClaim(digest: string, name: string): string {
  const critical = {
    type: "atomic container signature",
    image: { "docker-manifest-digest": digest },
    identity: { "docker-reference": name },
  };
  return JSON.stringify({ critical });
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

function buildConfig(
  judged: JudgedTexts,
  files: readonly ArtefactFile[],
  { pack, requires: preflight }: GivenFacts,
): ArtefactFacts {
  const documents = files.filter(({ path }) => !isCasePath(path)).flatMap(parse);
  const apiVersion = "preflight.openshift.io/v1alpha1";
  const schema = judged.kind === "checks" ? checkSchema : bugsSchema;
  const requires = {
    functions: listUsedFunctions(documents),
    fields: listUsedFields(documents, schema, schema.definitions),
    ...(preflight === undefined ? {} : { preflight }),
  };
  if (judged.kind === "checks")
    return {
      config: { ...pack, apiVersion, kind: "PreflightCheck", requires, checks: sortNames(judged.ids) },
      name: pack?.version ?? "checks",
      what: formatCount(judged.ids.length, "check"),
    };
  if (pack !== undefined) throw new UsageError("a list of known bugs has a name and a date: leave --name out");
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

function parse({ text }: ArtefactFile): readonly Json[] {
  const parsed = parseDocuments(text);
  return parsed.kind === "documents" ? parsed.documents : [];
}
