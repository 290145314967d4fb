/**
 * What each tool says of each argument that ends it at once, as JSON: `node tool-usages.ts FOLDER TOOL...`. One process loads what the
 * tools share once, where a process for each takes a second of CPU.
 */
import { join } from "node:path";
import { pathToFileURL } from "node:url";

export type ToolUsage = { readonly status: unknown; readonly stdout: string; readonly stderr: string };

const ARGUMENTS = ["--help", "--no-such-flag"];
const [folder = "", ...tools] = process.argv.slice(2);
const write = process.stdout.write.bind(process.stdout);

/** Ends a tool as its process would: nothing after it runs. */
const ended = new Error("the tool ends its process");

async function run(tool: string, argument: string): Promise<ToolUsage> {
  const texts = { stdout: "", stderr: "" };
  const exits: ToolUsage[] = [];
  process.argv = [process.execPath, tool, argument];
  process.stdout.write = (text) => Boolean((texts.stdout += String(text)));
  process.stderr.write = (text) => Boolean((texts.stderr += String(text)));
  process.exit = (status) => {
    exits.push({ status, ...texts });
    throw ended;
  };
  // Its own module anew, and the others as they are.
  const module = `${pathToFileURL(join(folder, `${tool}.ts`)).href}?${argument}`;
  await import(module).catch((thrown: unknown) => {
    if (thrown !== ended) throw thrown;
  });
  // What a tool does with the error, or sets, would not be so in a process that has ended.
  const usage = exits[0] ?? { status: process.exitCode ?? 0, ...texts };
  process.exitCode = undefined;
  return usage;
}

const usages: [string, readonly ToolUsage[]][] = [];
for (const tool of tools) {
  const own: ToolUsage[] = [];
  for (const argument of ARGUMENTS) own.push(await run(tool, argument));
  usages.push([tool, own]);
}
write(JSON.stringify(Object.fromEntries(usages)));
