import { createReadStream } from "node:fs";
import { mkdtemp, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import process from "node:process";
import type { ClusterFacts, Release, ReleaseProblem } from "../../model/release.ts";
import type { Payload, PayloadResult } from "../../release/payload.ts";
import { readPayload } from "../../release/payload-reader.ts";
import { selectRelease } from "../../release/release-selection.ts";
import { type TargetWithWarnings, formatWarnings } from "./target.ts";

/** Reading a payload needs a version. The cluster's own version replaces this one as soon as it is known. */
const PLACEHOLDER_VERSION = "0.0.0";

const FORMS = "--crds needs a file or a folder with CRDs, or - for stdin";

/** Reads a folder, a file, or stdin ("-"). */
export async function readCrds(path: string): Promise<TargetWithWarnings> {
  if (path === "-") return readCrdStream(process.stdin, "stdin.yaml", "the CRDs on stdin");
  const entry = await stat(path).catch(() => undefined);
  if (entry === undefined) return failUnreadable(`${path} does not exist: ${FORMS}`);
  return entry.isDirectory()
    ? readCrdFolder(path, path)
    : readCrdStream(createReadStream(path), withManifestExtension(basename(path)), path);
}

function withManifestExtension(name: string): string {
  return /\.(?:ya?ml|json)$/.test(name) ? name : `${name}.yaml`;
}

/** A payload is a folder, so a single file gets one of its own while it is read. */
async function readCrdStream(
  stream: AsyncIterable<Uint8Array | string>,
  name: string,
  label: string,
): Promise<TargetWithWarnings> {
  const text = await readText(stream);
  if (text === undefined) return failUnreadable(`${label} can't be read, or has more than ${MAX_BYTES >> 20} MiB`);
  const folder = await mkdtemp(join(tmpdir(), "preflight-crds-"));
  try {
    await writeFile(join(folder, name), text);
    return await readCrdFolder(folder, label);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const MAX_BYTES = 16 << 20;

async function readText(stream: AsyncIterable<Uint8Array | string>): Promise<string | undefined> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of stream) {
      const bytes = Buffer.from(chunk);
      size += bytes.length;
      if (size > MAX_BYTES) return undefined;
      chunks.push(bytes);
    }
  } catch {
    return undefined;
  }
  return Buffer.concat(chunks).toString("utf8");
}

async function readCrdFolder(folder: string, label: string): Promise<TargetWithWarnings> {
  const read = await readPayload(folder, { targetVersion: PLACEHOLDER_VERSION });
  if (read.kind === "failed")
    return read.failure.reason === "InvalidVersion" ? refuseReleaseFolder(label) : withLabel(read, folder, label);
  const payload = demoteOtherProblems(read.payload);
  if (payload.manifests.every(({ crd, contentError }) => crd === undefined && contentError === undefined))
    return failUnreadable(`${label} has no CustomResourceDefinition: ${FORMS}`);
  const select = (facts: ClusterFacts): Release => ({ ...selectCrds(payload, facts), crdFolder: label });
  return { kind: "read", select, warnings: formatWarnings(payload) };
}

/** A message must name what was given, and ask for CRDs instead of a release. */
function withLabel(
  { kind, failure }: Extract<PayloadResult, { kind: "failed" }>,
  folder: string,
  label: string,
): TargetWithWarnings {
  return {
    kind,
    failure: { ...failure, message: failure.message.replaceAll(folder, label).replace(/: give .*$/s, `: ${FORMS}`) },
  };
}

function refuseReleaseFolder(folder: string): TargetWithWarnings {
  return failUnreadable(`${folder} is a release's folder: use --target for it, and --crds for a folder with CRDs only`);
}

/** A folder of CRDs may also hold files such as kustomization.yaml, which are worth a warning only. */
function demoteOtherProblems(payload: Payload): Payload {
  const isOther = ({ reason, message }: ReleaseProblem): boolean =>
    reason === "InvalidManifest" && !message.includes("CustomResourceDefinition");
  return {
    ...payload,
    problems: payload.problems.filter((problem) => !isOther(problem)),
    warnings: [...payload.warnings, ...payload.problems.filter(isOther)],
  };
}

function failUnreadable(message: string): TargetWithWarnings {
  return { kind: "failed", failure: { reason: "PayloadUnreadable", message } };
}

/** The target gets the cluster's own version, since a folder of CRDs names none. */
function selectCrds(payload: Payload, facts: ClusterFacts): Release {
  return selectRelease({ ...payload, version: facts.version }, facts);
}
