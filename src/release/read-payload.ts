import type { Problem } from "../model/release.ts";
import { codeOf, readBounded } from "./bounded-file.ts";
import { type DigestEntry, digest, digestEntry } from "./digest.ts";
import { readIdentity } from "./identity.ts";
import { type Layout, type Source, findLayout } from "./layout.ts";
import { type ListedFile, listFiles } from "./list-files.ts";
import { parseManifests } from "./parse-manifests.ts";
import {
  type PayloadFailed,
  type PayloadManifest,
  type PayloadOptions,
  type PayloadResult,
  unreadable,
} from "./payload.ts";
import { problem } from "./problem.ts";
import { renderTemplate } from "./template.ts";

/** The largest manifest file that is read; a release's largest has half a MiB. */
export const MAX_FILE_BYTES = 16 * 1024 * 1024;
/** The most that is read of a folder; a release has some 20 MiB. */
export const MAX_TOTAL_BYTES = 256 * 1024 * 1024;

type Contents = {
  readonly kind: "contents";
  readonly manifests: PayloadManifest[];
  readonly problems: Problem[];
  readonly warnings: Problem[];
  readonly digested: DigestEntry[];
  readonly seen: Set<string>;
  bytesLeft: number;
};

/**
 * Reads a target's folder, or the folders that make it up: a release image's root, what `oc adm release extract` gives, the container's
 * `/release-manifests` and `/manifests`, or plain manifests. A bad file is a problem of the payload. Never rejects.
 */
export async function readPayload(
  folder: string | readonly string[],
  options: PayloadOptions = {},
): Promise<PayloadResult> {
  const found = await findLayout(typeof folder === "string" ? [folder] : folder);
  if (found.kind === "failed") return found;
  const identity = await readIdentity(found.layout, options);
  if (identity.kind === "failed") return identity;
  const contents = await readContents(found.layout);
  if (contents.kind === "failed") return contents;
  const { version, kubernetes } = identity;
  const payload = {
    kind: found.layout.kind,
    version,
    ...(kubernetes === undefined ? {} : { kubernetes }),
    ...(options.image === undefined ? {} : { image: options.image }),
    digest: digest([...identity.digested, ...contents.digested]),
    manifests: contents.manifests,
    problems: contents.problems,
    warnings: contents.warnings,
  };
  return { kind: "read", payload };
}

function emptyContents(): Contents {
  return {
    kind: "contents",
    manifests: [],
    problems: [],
    warnings: [],
    digested: [],
    seen: new Set(),
    bytesLeft: MAX_TOTAL_BYTES,
  };
}

async function readContents(layout: Layout): Promise<Contents | PayloadFailed> {
  const contents = emptyContents();
  const within = layout.sources.map((source) => source.real);
  for (const source of layout.sources) {
    try {
      const { files, skipped } = await listFiles(source);
      for (const { name, reason, message } of skipped) {
        contents.problems.push(problem(reason, source.prefix + name, `it ${message}`));
      }
      for (const file of files) await readManifestFile(source, file, within, contents);
    } catch (thrown) {
      return unreadable(`target folder ${source.path} can't be read: ${codeOf(thrown)}`);
    }
  }
  if (contents.digested.length > 0) return contents;
  const places = layout.sources.map((source) => source.path).join(" and ");
  return unreadable(
    `${places} holds no manifest (.yaml, .yml or .json): give the folder that holds the target's manifests`,
  );
}

async function readManifestFile(
  source: Source,
  file: ListedFile,
  within: readonly string[],
  contents: Contents,
): Promise<void> {
  const where = source.prefix + file.name;
  if (contents.bytesLeft < 0) {
    contents.digested.push({ name: file.name, content: "unread" });
    return;
  }
  const read = await readBounded(file.path, within, MAX_FILE_BYTES);
  if (read.kind === "refused") {
    contents.problems.push(problem(read.reason, where, `it ${read.message}`));
    contents.digested.push({ name: file.name, content: "unread" });
    return;
  }
  // A link beside the file that it leads to is the same file, not a second one.
  if (contents.seen.has(read.real)) return;
  contents.seen.add(read.real);
  contents.digested.push(digestEntry(file.name, read.bytes));
  contents.bytesLeft -= read.bytes.length;
  if (contents.bytesLeft < 0) {
    contents.problems.push(
      problem(
        "TooLarge",
        where,
        `the manifests up to ${where} have more than ${MAX_TOTAL_BYTES / 2 ** 20} MiB: it and those after it were not read`,
      ),
    );
    return;
  }
  parseInto(source, where, read.bytes, contents);
}

function parseInto(source: Source, where: string, bytes: Uint8Array, contents: Contents): void {
  const text = decode(bytes);
  if (text === undefined) {
    contents.problems.push(problem("InvalidYaml", where, "it is no UTF-8 text"));
    return;
  }
  const rendered = source.role === "operator" && text.includes("{{") ? renderTemplate(text) : text;
  if (rendered === undefined) {
    const template = problem(
      "UnrenderedTemplate",
      where,
      "it is a template that only the cluster-version operator can render",
    );
    (mayMatter(text) ? contents.problems : contents.warnings).push(template);
    return;
  }
  const parsed = parseManifests(rendered, where);
  for (const manifest of parsed.manifests) contents.manifests.push(manifest);
  for (const { reason, message } of parsed.problems) {
    contents.problems.push(problem(reason, where, message));
  }
}

/** Nothing else of a template could change a verdict. */
function mayMatter(text: string): boolean {
  return /kind["']?\s*:\s*["']?(?:CustomResourceDefinition|FeatureGate)\b/.test(text);
}

function decode(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
