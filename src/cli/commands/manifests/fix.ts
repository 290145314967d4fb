import { readFile, realpath, stat } from "node:fs/promises";
import { FILE_HEADERS_ONLY, createTwoFilesPatch } from "diff";
import { applyEdits } from "../../../manifests/files/edits.ts";
import type { FileManifest } from "../../../manifests/files/parse-manifests.ts";
import type { ManifestFix } from "../../../manifests/judge-manifests.ts";
import { failWith } from "../../../model/errors.ts";
import { formatRef, refOf } from "../../../model/resource.ts";
import { formatCount } from "../../../model/text.ts";
import { toLine, toVisibleOutput } from "../../../model/visible-text.ts";
import { publish } from "../../../publish/atomic-file.ts";
import type { Io } from "../../io/io.ts";

type FileFix = ManifestFix<FileManifest>;

/** Shows what is certain to mend findings as a diff, and then writes it if `isWritten`; resolves with the number of files it is for. */
export async function fixFiles(fixes: readonly FileFix[], isWritten: boolean, io: Io): Promise<number> {
  const byFile = Map.groupBy(fixes, ({ manifest }) => manifest.locate([]).file);
  let changed = 0;
  for (const [file, own] of byFile) changed += (await fixFile(file, own, isWritten, io)) ? 1 : 0;
  const done = isWritten ? "changed" : "not changed: --fix writes this";
  io.err(changed === 0 ? "Nothing is certain enough to write.\n" : `${formatCount(changed, "file")} ${done}\n`);
  return changed;
}

async function fixFile(file: string, fixes: readonly FileFix[], isWritten: boolean, io: Io): Promise<boolean> {
  const found = await readText(file);
  if (found === undefined) {
    io.err(`preflight: ${toLine(file)} is no file that can be written: mend what it was made of\n`);
    return false;
  }
  const { text: before, path, mode } = found;
  const after = fixes.reduce((text, { manifest, edits }) => {
    const edited = applyEdits(text, manifest, edits);
    if (edited.kind === "edited") return edited.text;
    io.err(
      `preflight: ${toLine(`${file}: ${formatRef(refOf(manifest.object))}`)} was left: ${toLine(edited.message)}\n`,
    );
    return text;
  }, before);
  if (after === before) return false;
  io.err(
    toVisibleOutput(
      createTwoFilesPatch(file, file, before, after, undefined, undefined, { headerOptions: FILE_HEADERS_ONLY }),
    ),
  );
  if (isWritten) await publish(path, after, mode).catch(failWith(`${file} can't be written`));
  return true;
}

type FoundText = { readonly text: string; readonly path: string; readonly mode: number };

/** Of a regular file alone: what stands in an archive, a stream or a rendered chart has no file of its own. Links stay. */
async function readText(file: string): Promise<FoundText | undefined> {
  const stats = await stat(file).catch(() => undefined);
  if (stats?.isFile() !== true) return undefined;
  return { text: await readFile(file, "utf8"), path: await realpath(file), mode: stats.mode & 0o777 };
}
