import process from "node:process";
import { type CallToolResult, Server } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { FailedError, formatError, UsageError } from "../../../model/errors.ts";
import { parseObject } from "../../../model/json.ts";
import { redactText } from "../../../model/secrets/redact-text.ts";
import { toLine, toVisible } from "../../../model/visible-text.ts";
import { VERSION } from "../../../model/program-version.ts";
import { type Tool, requireKnownArguments } from "./schemas.ts";

const INSTRUCTIONS =
  "Checks whether an OpenShift or Kubernetes cluster is ready for an update. Every tool only reads. Commands in see and fix are for the administrator to read, decide on and run. What could not be checked is not clear: say so.";

/** Nobody asks the user through this server, so there is no answer to validate. */
const NO_VALIDATOR = {
  getValidator: () => () => ({ valid: false, data: undefined, errorMessage: "no input is requested" }) as const,
};

/** Serves the tools on stdin and stdout; resolves once the client is gone or the signal is aborted. */
export async function serveTools(
  tools: readonly Tool[],
  signal: AbortSignal,
  log: (line: string) => void,
): Promise<void> {
  const closed = Promise.withResolvers<void>();
  const close = (): void => closed.resolve();
  process.stdin.once("end", close).once("close", close);
  const onerror = (error: Error): void => log(toLine(formatError(error)));
  const handle = serveStdio(() => createServer(tools), { onerror });
  if (signal.aborted) close();
  signal.addEventListener("abort", close, { once: true });
  await closed.promise;
  await handle.close();
}

function createServer(tools: readonly Tool[]): Server {
  const server = new Server(
    { name: "preflight", title: "Update preflight", version: VERSION },
    { capabilities: { tools: {} }, instructions: INSTRUCTIONS, jsonSchemaValidator: NO_VALIDATOR },
  );
  server.setRequestHandler("tools/list", () => ({ tools: tools.map(describeTool) }));
  server.setRequestHandler("tools/call", async ({ params }, { mcpReq }) => {
    const tool = tools.find(({ name }) => name === params.name);
    return tool === undefined
      ? buildError(`no tool is called "${params.name}"`)
      : callTool(tool, params.arguments ?? {}, mcpReq.signal);
  });
  return server;
}

function describeTool({ run: _run, title, ...tool }: Tool) {
  const annotations = { title, readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: true };
  return { ...tool, title, annotations };
}

/** A failure is a result that the assistant can read, and no error of the protocol. */
async function callTool(tool: Tool, given: unknown, signal: AbortSignal): Promise<CallToolResult> {
  try {
    const parsed = parseObject(JSON.stringify(given)) ?? {};
    requireKnownArguments(parsed, tool.inputSchema);
    const structuredContent = toVisible(await tool.run(parsed, signal));
    return { content: [{ type: "text", text: JSON.stringify(structuredContent) }], structuredContent };
  } catch (thrown) {
    if (thrown instanceof UsageError || thrown instanceof FailedError) return buildError(thrown.message);
    return buildError(`unexpected error, please report it: ${redactText(formatError(thrown))}`);
  }
}

function buildError(message: string): CallToolResult {
  return { content: [{ type: "text", text: toLine(message) }], isError: true };
}
