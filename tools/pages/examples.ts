import { readFileSync } from "node:fs";
import { join } from "node:path";
import { withTemporaryFolder } from "../../test/support/temporary-folder.ts";
import { DEMO_COMMAND, runDemo } from "./demo-output.ts";
import { formatPage, formatTable } from "./markdown.ts";

/** Each output format of `check`, its file, and who reads it. */
const EXAMPLES: readonly (readonly [format: string, file: string, reader: string])[] = [
  ["table", "table.txt", "a person at a terminal"],
  ["wide", "wide.txt", "a person who wants all of it: every object, its owners, and how sure each risk is"],
  ["markdown", "report.md", "comments, tickets and job summaries"],
  ["html", "report.html", "a browser: one page that needs no network, to send and to keep"],
  ["csv", "risks.csv", "a spreadsheet: one line for each finding"],
  ["json", "result.json", "a program: the document with everything in it"],
  ["yaml", "result.yaml", "a program, or a person who prefers it to JSON"],
  ["junit", "junit.xml", "CI systems that show test results"],
  ["sarif", "preflight.sarif", "code scanning, and viewers of SARIF"],
  ["github", "annotations.txt", "GitHub Actions: annotations of the run"],
  ["preflight-v1-json", "document.json", "the cluster-version operator"],
];

/** After the demo's newest object. */
const NOW = new Date("2026-03-02T10:00:00Z");

/** The result for the demo cluster in each format, by file; the working directory is the project's. */
export async function buildExamples(): Promise<ReadonlyMap<string, string>> {
  return withTemporaryFolder("examples", async (folder) => {
    const outputs = EXAMPLES.flatMap(([format, file]) => ["-o", `${format}=${join(folder, file)}`]);
    await runDemo(outputs, { now: NOW, isOutTerminal: false });
    return new Map(EXAMPLES.map(([, file]) => [file, readFileSync(join(folder, file), "utf8")]));
  });
}

/** docs/examples/README.md: what each file is for. */
export function formatExamplesPage(heading: string): string {
  const rows = EXAMPLES.map(([format, file, reader]) => [`\`-o ${format}\``, `[${file}](${file})`, reader]);
  const outputs = EXAMPLES.slice(1).map(([format, file]) => `-o ${format}=${file}`);
  return formatPage(
    heading,
    "# Examples",
    "The result for the small recorded cluster in `demo/`, in each format. One run writes several:",
    `    preflight ${[...DEMO_COMMAND, ...outputs].join(" ")}`,
    formatTable(["format", "file", "for"], rows),
  );
}
