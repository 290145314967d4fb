import { spawn } from "node:child_process";
import { collectBytes } from "../../files/named-file.ts";
import { quoteArgument } from "../../model/commands.ts";
import { errorCode, formatError } from "../../model/errors.ts";
import type { UnreadManifest } from "../../model/manifest.ts";
import { type FileContent, MAX_TEXT_BYTES, buildUnread, decodeText } from "./manifest-files.ts";
import { type FileManifest, parseManifests } from "./parse-manifests.ts";

/** What renders a folder: Helm a chart, Kustomize a kustomization. */
export type Renderer = "helm" | "kustomize";

/** The programs that do it, the first that is there. Neither of them reads a cluster. */
const COMMANDS: Readonly<Record<Renderer, readonly (readonly string[])[]>> = {
  helm: [["helm", "template", "--include-crds"]],
  kustomize: [
    ["kustomize", "build"],
    ["kubectl", "kustomize"],
    ["oc", "kustomize"],
  ],
};
/** Both may fetch what a chart or a kustomization depends on. */
const TIMEOUT_MS = 120_000;

/** The manifests that a renderer makes of a folder, by a program that is installed. */
export async function* renderManifests(
  renderer: Renderer,
  folder: string,
  timeoutMs = TIMEOUT_MS,
): AsyncGenerator<FileManifest | UnreadManifest> {
  for (const command of COMMANDS[renderer]) {
    const text = await render(command, folder, timeoutMs);
    if (text === undefined) continue;
    if (typeof text === "string") yield* parseManifests(text, { file: folder, isNamed: true });
    else yield text;
    return;
  }
  const programs = COMMANDS[renderer].map(([program = ""]) => program).join(", ");
  yield buildUnread(
    "NotRendered",
    folder,
    `there is no ${programs} here: install it, or give what it renders elsewhere`,
  );
}

/** Undefined if there is no such program. */
async function render(command: readonly string[], folder: string, timeoutMs: number): Promise<FileContent | undefined> {
  // A folder that begins with a dash is no flag.
  const path = folder.startsWith("-") ? `./${folder}` : folder;
  try {
    const output = readCommandOutput([...command, path], timeoutMs);
    return decodeText(await collectBytes(output, MAX_TEXT_BYTES), folder);
  } catch (thrown) {
    if (errorCode(thrown) === "ENOENT") return undefined;
    return buildUnread(
      "NotRendered",
      folder,
      `"${[...command, quoteArgument(path)].join(" ")}" failed: ${formatError(thrown)}`,
    );
  }
}

const MAX_ERROR_CHARACTERS = 1 << 16;

/**
 * What a program writes, without a shell and without input. Throws an Error with the code ENOENT if it can't be found, or with the first line
 * of its errors if it fails; it is killed when its time is over, or when nobody reads on.
 */
export async function* readCommandOutput(
  [program = "", ...args]: readonly string[],
  timeoutMs: number,
  cwd?: string,
): AsyncGenerator<Buffer> {
  const child = spawn(program, args, { cwd, stdio: ["ignore", "pipe", "pipe"] });
  let errors = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    if (errors.length < MAX_ERROR_CHARACTERS) errors += text;
  });
  const ended = new Promise<Error | undefined>((resolve) => {
    child.on("error", resolve);
    child.on("close", (code) =>
      resolve(code === 0 ? undefined : new Error(getFirstLine(errors) ?? `it ended with ${code}`)),
    );
  });
  // What the program has started may hold its output open.
  const timer = setTimeout(() => {
    child.kill("SIGKILL");
    child.stdout.destroy(new Error(`it did not end within ${timeoutMs / 1_000} s`));
    child.stderr.destroy();
  }, timeoutMs);
  try {
    const output: AsyncIterable<Buffer> = child.stdout;
    yield* output;
    const failure = await ended;
    if (failure !== undefined) throw failure;
  } finally {
    clearTimeout(timer);
    child.kill("SIGKILL");
  }
}

function getFirstLine(text: string): string | undefined {
  const lines = text.split("\n").map((line) => line.trim());
  return lines.find((line) => line !== "");
}
