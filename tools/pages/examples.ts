import { readFileSync } from "node:fs";
import { join } from "node:path";
import { formats } from "../../src/format/index.ts";
import { type Fact, FACTS, OMISSIONS } from "../../verify/pages/facts.ts";
import { withTemporaryFolder } from "../../verify/shared/temporary-folder.ts";
import { DEMO_COMMAND, runDemo } from "./demo-output.ts";
import { formatPage, formatTable } from "../../verify/shared/markdown.ts";

/** Each output format of `check`, its file, and who reads it. */
const EXAMPLES = Object.entries(formats).map(([name, { file, reader }]) => [name, file, reader] as const);

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
    "Formats leave out what does not fit them. They show everything else that a report holds:",
    formatTable(["format", "leaves out", "because"], listOmissions()),
  );
}

function listOmissions(): readonly (readonly string[])[] {
  return Object.entries(OMISSIONS).flatMap(([format, omissions]) =>
    omissions.map(({ facts, because }) => [`\`${format}\``, formatFacts(facts), because]),
  );
}

/** A list that leaves out nearly everything says what is left. */
function formatFacts(facts: readonly Fact[]): string {
  const shown = FACTS.filter((fact) => !facts.includes(fact));
  const omitted = FACTS.filter((fact) => facts.includes(fact));
  return shown.length < 5 ? `everything but ${shown.join(", ")}` : omitted.join(", ");
}
