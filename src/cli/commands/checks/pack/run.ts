import { basename, relative } from "node:path";
import { type FileText, readYamlFiles } from "../../../../files/yaml-files.ts";
import { formatCount } from "../../../../model/count.ts";
import { FailedError, UsageError } from "../../../../model/errors.ts";
import { type ArtefactFile, isArtefactPath, MAX_ARTEFACT_FILES } from "../../../../release/image/artefact/artefact.ts";
import { packArtefact } from "../../../../release/image/artefact/pack-artefact.ts";
import type { Io } from "../../../io/io.ts";
import { writeOutputFile } from "../../../session/print.ts";
import { readCheckTexts } from "../check-files.ts";
import { judgeTexts, printErrors } from "../judged-texts.ts";
import { buildConfig } from "./config.ts";
import type { PackChecksValues } from "./definition.ts";

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
