import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { readFileBytes } from "../../../files/named-file.ts";
import { FailedError, UsageError, errorCode, failWith } from "../../../model/errors.ts";
import { textAt } from "../../../model/json.ts";
import { formatCount, joinNames } from "../../../model/text.ts";
import type { Artefact } from "../../../release/image/artefact.ts";
import { failBy, isCasePath, isInRegistry, readArtefactAt } from "../../checks/given-files.ts";
import { findPack, readIndex, resolveInIndex } from "../../checks/pack-index.ts";
import type { Io } from "../../io/io.ts";
import { judgeTexts, printErrors } from "./check-texts.ts";
import { writeNewFile } from "./new-files.ts";
import type { PullChecksValues } from "./pack-definition.ts";

/** Writes the files of a pack to a new folder, if it is what its index and its signature say and has no faults. */
export async function run(values: PullChecksValues, io: Io): Promise<0 | 3> {
  const folder = values["dest-dir"];
  await requireEmpty(folder);
  const { place, digest, signature } = await findPlace(values);
  const artefact = await readArtefactAt("the pack", place, values, io).catch(failBy(`the pack ${place}`));
  if (artefact === undefined)
    throw new UsageError(`${place} is neither an archive (*.tar) nor a folder with an OCI layout`);
  if (digest !== undefined && digest !== artefact.digest)
    throw new FailedError(`${place} is not what the index names: its digest is ${artefact.digest}, not ${digest}`);
  const signers = await verify(artefact.digest, values.key, values.signature ?? signature, io);
  const judged = await judgeTexts(listCheckTexts(artefact, place));
  if (printErrors(judged.faults, io)) return 3;
  for (const { path, text } of artefact.files) await writeNewFile(join(folder, path), text);
  io.out(`${artefact.digest}\n`);
  io.err(
    `Wrote ${formatCount(artefact.files.length, "file")} of ${describe(artefact, place)} to ${folder}. ${signers}\n`,
  );
  return 0;
}

async function requireEmpty(folder: string): Promise<void> {
  const entries = await readdir(folder).catch((thrown: unknown) => {
    if (errorCode(thrown) === "ENOENT") return [];
    return failWith(`${folder} can't be written`)(thrown);
  });
  if (entries.length > 0)
    throw new UsageError(`${folder} is not empty: choose a new folder, so that no file of before stays`);
}

/** Where a pack is, and what the index says of it. */
type PackPlace = { readonly place: string; readonly digest?: string; readonly signature?: string };

async function findPlace({ pack, index }: PullChecksValues): Promise<PackPlace> {
  if (index === undefined) return { place: pack };
  const { digest, source, signature } = findPack(await readIndex(index), pack);
  const place = isInRegistry(source) ? `${source.replace(/@.*/, "")}@${digest}` : resolveInIndex(index, source);
  return { place, digest, signature: signature && resolveInIndex(index, signature) };
}

const MAX_KEY_BYTES = 1 << 20;

/** Who signed the digest, in a sentence. Throws a FailedError if a key is named, and it did not. */
async function verify(digest: string, key: string | undefined, signature: string | undefined, io: Io): Promise<string> {
  if (key === undefined) return "Its signature was not verified: name its author's key with --key.";
  if (signature === undefined) throw new UsageError("--key needs the signature: name its file with --signature");
  const read = (path: string): Promise<Buffer> =>
    readFileBytes(path, MAX_KEY_BYTES).catch(failWith(`${path} can't be read`));
  const { verifyRelease } = await import("../../../release/image/signature/release-signature.ts");
  const keyrings = [{ name: key, bytes: await read(key) }];
  const verdict = verifyRelease(digest, keyrings, [{ bytes: await read(signature), origin: signature }], io.now());
  if (verdict.kind === "verified") return `Its signature was verified: ${joinNames(verdict.signers)}.`;
  throw new FailedError(
    verdict.kind === "untrusted"
      ? `${signature} is not a signature by ${key}`
      : `the pack is not verified: ${verdict.why}`,
  );
}

function listCheckTexts({ files, config }: Artefact, place: string): Parameters<typeof judgeTexts>[0] {
  const requires = textAt(config, "requires", "preflight");
  return files
    .filter(({ path }) => !isCasePath(path))
    .map(({ path, text }) => ({ name: `${place}/${path}`, text, ...(requires === undefined ? {} : { requires }) }));
}

function describe({ config }: Artefact, place: string): string {
  const name = textAt(config, "name");
  return name === undefined ? place : `${name} ${textAt(config, "version") ?? textAt(config, "date") ?? ""}`.trim();
}
