import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createIo } from "../../src/cli/io/io.ts";
import { dispatch } from "../../src/cli/command-line/dispatch.ts";
import { formats } from "../../src/format/index.ts";
import { formatTable } from "./markdown.ts";

/** Each output format of `check`, its file, and who reads it. */
const EXAMPLES = Object.entries(formats).map(([name, { file, reader }]) => [name, file, reader] as const);

const COMMAND = ["check", "--recorded", "demo", "--target", "demo/release"];

/** After the demo's newest object. */
const NOW = new Date("2026-03-02T10:00:00Z");

/** The result for the demo cluster in each format, by file; the working directory is the project's. */
export async function buildExamples(): Promise<ReadonlyMap<string, string>> {
  const folder = mkdtempSync(join(tmpdir(), "preflight-examples-"));
  try {
    const outputs = EXAMPLES.flatMap(([format, file]) => ["-o", `${format}=${join(folder, file)}`]);
    await dispatch([...COMMAND, ...outputs], buildIo());
    return new Map(EXAMPLES.map(([, file]) => [file, readFileSync(join(folder, file), "utf8")]));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function buildIo() {
  return createIo({
    env: {},
    program: "preflight",
    writeOut: () => {},
    writeErr: () => {},
    isOutTerminal: false,
    isErrTerminal: false,
    width: 100,
    now: () => NOW,
    random: () => 0,
    stopSignal: AbortSignal.any([]),
    startChild: () => Promise.reject(new Error("the demo needs no process of its own")),
    openImageCache: () => Promise.reject(new Error("the demo reads no release image")),
    parent: undefined,
  });
}

/** docs/examples/README.md: what each file is for. */
export function formatExamplesPage(heading: string): string {
  const rows = EXAMPLES.map(([format, file, reader]) => [`\`-o ${format}\``, `[${file}](${file})`, reader]);
  const outputs = EXAMPLES.slice(1).map(([format, file]) => `-o ${format}=${file}`);
  return `${[
    `<!-- ${heading} -->`,
    "# Examples",
    "The result for the small recorded cluster in `demo/`, in each format. One run writes several:",
    `    preflight ${[...COMMAND, ...outputs].join(" ")}`,
    formatTable(["format", "file", "for"], rows),
  ].join("\n\n")}\n`;
}
