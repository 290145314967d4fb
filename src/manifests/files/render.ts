import type { UnreadManifest } from "../../model/manifest.ts";
import { quoteArgument } from "../../model/commands.ts";
import { runBounded } from "./bounded-command.ts";
import { MAX_TEXT_BYTES, decodeText } from "./manifest-files.ts";
import { type FileManifest, parseManifests } from "./parse-manifests.ts";
import { buildUnread } from "./unread.ts";

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
  for (const [program = "", ...args] of COMMANDS[renderer]) {
    // A folder that begins with a dash is no flag.
    const path = folder.startsWith("-") ? `./${folder}` : folder;
    const output = await runBounded(program, [...args, path], { maxBytes: MAX_TEXT_BYTES, timeoutMs });
    if (output.kind === "missing") continue;
    if (output.kind === "failed") {
      const command = [program, ...args, quoteArgument(path)].join(" ");
      yield buildUnread("NotRendered", folder, `"${command}" failed: ${output.message}`);
      return;
    }
    const text = decodeText(output.bytes, folder);
    if (typeof text === "string") yield* parseManifests(text, { file: folder, isNamed: true });
    else yield text;
    return;
  }
  const programs = COMMANDS[renderer].map(([program = ""]) => program).join(" nor ");
  const message = `${programs} can be found: install it, or render the folder elsewhere, and give its output: preflight manifests -`;
  yield buildUnread("NotRendered", folder, message);
}
