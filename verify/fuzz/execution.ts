import { isRefusal } from "./refusals.ts";
import type { FuzzTarget } from "./target.ts";

/** `signature`: the same for the same fault, so that it is reported once. */
export type FuzzFault = { readonly signature: string; readonly text: string };

const FRAME = /\/((?:src|tools\/fuzz\/targets|test\/support\/fuzz\/planted)\/[^\s():]+)(:\d+)/;

/** Gives an input to the code; undefined if it did with it what it should. */
export async function execute(target: FuzzTarget, input: Buffer): Promise<FuzzFault | undefined> {
  try {
    const running = target.run(input);
    if (running !== undefined) await running;
    return undefined;
  } catch (thrown) {
    if (isRefusal(thrown)) return undefined;
    return describeFault(thrown);
  }
}

function describeFault(thrown: unknown): FuzzFault {
  if (!(thrown instanceof Error)) return { signature: String(thrown), text: String(thrown) };
  const { name, message, stack = "" } = thrown;
  const [, file = message.slice(0, 60), line = ""] = FRAME.exec(stack) ?? [];
  // Where the stack ends is chance.
  const place = message.includes("call stack") ? file : `${file}${line}`;
  return { signature: `${name} at ${place}`, text: stack.includes(message) ? stack : `${name}: ${message}\n${stack}` };
}
