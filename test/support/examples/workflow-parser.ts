import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "esbuild";

/** GitHub's parser is meant for bundlers: Node itself can't import it. */
const PROGRAM = `
import { readFileSync } from "node:fs";
import { convertWorkflowTemplate, NoOperationTraceWriter, parseWorkflow } from "@actions/workflow-parser";
const content = readFileSync(0, "utf8");
void (async () => {
const { context, value } = parseWorkflow({ name: "workflow.yaml", content }, new NoOperationTraceWriter());
const template = value ? await convertWorkflowTemplate(context, value) : undefined;
const errors = [...context.errors.getErrors().map(({ message }) => message), ...(template?.errors ?? []).map(({ Message }) => Message)];
console.log(JSON.stringify({ errors, jobs: (template?.jobs ?? []).map(({ id }) => String(id)) }));
})();
`;

export type ParsedWorkflow = { readonly errors: readonly string[]; readonly jobs: readonly string[] };

/** What GitHub's own parser says of workflows. */
export async function createWorkflowParser(): Promise<{
  readonly parse: (text: string) => ParsedWorkflow;
  readonly close: () => void;
}> {
  const folder = mkdtempSync(join(tmpdir(), "preflight-parser-"));
  const outfile = join(folder, "parser.cjs");
  const stdin = { contents: PROGRAM, resolveDir: import.meta.dirname };
  await build({ stdin, outfile, bundle: true, format: "cjs", platform: "node", logLevel: "silent" });
  return {
    parse: (text) => JSON.parse(execFileSync(process.execPath, [outfile], { input: text, encoding: "utf8" })),
    close: () => rmSync(folder, { recursive: true, force: true }),
  };
}
