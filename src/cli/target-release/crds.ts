import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import process from "node:process";
import { mkdtemp, rm, stat, writeFile } from "../../files/calls.ts";
import { COMMAND_TIMEOUT_MS, collectBytes, readFileBytes } from "../../files/named-file.ts";
import { formatError } from "../../model/errors.ts";
import type { ClusterFacts, Release, ReleaseProblem } from "../../model/release.ts";
import { sortNames } from "../../model/text.ts";
import type { Payload, PayloadOptions, PayloadResult } from "../../release/payload/payload.ts";
import { readPayload } from "../../release/payload/payload-reader.ts";
import { selectRelease } from "../../release/payload/release-selection.ts";
import { type TargetWithWarnings, failUnreadable, formatWarnings } from "./target.ts";

/** Reading a payload needs a version. The cluster's own version replaces this one as soon as it is known. */
const PLACEHOLDER_VERSION = "0.0.0";

const FORMS = "--crds needs a file or a folder with CRDs, or - for stdin";

/** CRDs as a payload. `locate`: the path of one of its files; undefined for stdin. */
export type CrdInput = {
  readonly kind: "read";
  readonly payload: Payload;
  readonly locate: (file: string) => string | undefined;
  readonly warnings: readonly string[];
};
type Failed = Extract<TargetWithWarnings, { readonly kind: "failed" }>;

/** Reads a folder, a file, or stdin ("-"), as the target of a check. */
export async function readCrds(path: string): Promise<TargetWithWarnings> {
  const input = await readCrdInput(path);
  if (input.kind === "failed") return input;
  const { payload, warnings } = input;
  const crdFolder = path === "-" ? STDIN : path;
  const select = (facts: ClusterFacts): Release => {
    // The target gets the cluster's own version, since a folder of CRDs names none.
    const release = selectRelease({ ...payload, version: facts.version }, facts);
    return { ...release, crdFolder, crdsLeftOut: listLeftOut(payload, release) };
  };
  return { kind: "read", select, warnings };
}

/** One that two manifests define is a problem of its own. */
function listLeftOut({ manifests }: Payload, release: Release): readonly string[] {
  const applying = new Set(release.manifests.concat(release.deleted).map(({ name }) => name));
  const isDuplicate = (name: string): boolean =>
    release.problems.some(({ reason, message }) => reason === "DuplicateManifest" && message.includes(` ${name} `));
  const names = manifests.flatMap(({ crd }) => crd?.name ?? []);
  return sortNames(names.filter((name) => !applying.has(name) && !isDuplicate(name)));
}

const STDIN = "the CRDs on stdin";

/** Reads a folder, a file, or stdin ("-"). */
export async function readCrdInput(path: string, options: PayloadOptions = {}): Promise<CrdInput | Failed> {
  if (path === "-") {
    const origin = { label: STDIN, locate: () => undefined, options };
    return readCrdFile(collectBytes(process.stdin, MAX_BYTES), "stdin.yaml", origin);
  }
  const entry = await stat(path).catch(() => undefined);
  if (entry === undefined) return failUnreadable(`${path} does not exist: ${FORMS}`);
  if (entry.isDirectory()) return readCrdFolder(path, { label: path, locate: (file) => join(path, file), options });
  const reading = readFileBytes(path, MAX_BYTES, { pipeTimeoutMs: COMMAND_TIMEOUT_MS });
  return readCrdFile(reading, withManifestExtension(basename(path)), { label: path, locate: () => path, options });
}

type CrdOrigin = Pick<CrdInput, "locate"> & { readonly label: string; readonly options: PayloadOptions };

function withManifestExtension(name: string): string {
  return /\.(?:ya?ml|json)$/.test(name) ? name : `${name}.yaml`;
}

/** A payload is a folder, so a single file gets one of its own while it is read. */
async function readCrdFile(reading: Promise<Buffer>, name: string, origin: CrdOrigin): Promise<CrdInput | Failed> {
  const bytes = await reading.catch((thrown: unknown) => formatError(thrown));
  if (typeof bytes === "string") return failUnreadable(`${origin.label} can't be read: ${bytes}: ${FORMS}`);
  const folder = await mkdtemp(join(tmpdir(), "preflight-crds-"));
  try {
    await writeFile(join(folder, name), bytes);
    return await readCrdFolder(folder, { ...origin, options: { ...origin.options, isTemporary: true } });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const MAX_BYTES = 16 << 20;

async function readCrdFolder(folder: string, { label, locate, options }: CrdOrigin): Promise<CrdInput | Failed> {
  const read = await readPayload(folder, { targetVersion: PLACEHOLDER_VERSION, ...options });
  if (read.kind === "failed")
    return read.failure.reason === "InvalidVersion"
      ? failUnreadable(`${label} is a release's folder: use --target for it, and --crds for a folder with CRDs only`)
      : withLabel(read, folder, label);
  const payload = demoteOtherProblems(read.payload);
  if (payload.manifests.every(({ crd, contentError }) => crd === undefined && contentError === undefined))
    return failUnreadable(`${label} has no CustomResourceDefinition: ${FORMS}`);
  return { kind: "read", payload, locate, warnings: formatWarnings(payload) };
}

/** A message must name what was given, and ask for CRDs instead of a release. */
function withLabel(
  { kind, failure }: Extract<PayloadResult, { kind: "failed" }>,
  folder: string,
  label: string,
): Failed {
  return {
    kind,
    failure: { ...failure, message: failure.message.replaceAll(folder, label).replace(/: give .*$/s, `: ${FORMS}`) },
  };
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
