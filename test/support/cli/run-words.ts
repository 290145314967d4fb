import { dispatch } from "../../../src/cli/command-line/dispatch.ts";
import { type Io, reportError } from "../../../src/cli/io/io.ts";
import { createTemporaryCache } from "../../../src/release/image/image-cache.ts";
import { createTestIo } from "./test-io.ts";

export type CommandResult = { readonly code: number; readonly out: string; readonly err: string };

/** Runs a command line in this process, as the executable does in its own. */
export async function runWords(...words: readonly string[]): Promise<CommandResult> {
  const out: string[] = [];
  const err: string[] = [];
  const cache = createTemporaryCache();
  const io: Io = {
    ...createTestIo(err),
    out: (text) => void out.push(text),
    outStyled: (text) => void out.push(text),
    openImageCache: async () => cache,
  };
  const code = await dispatch(words, io).catch((thrown: unknown) => reportError(thrown, io));
  cache.close();
  return { code, out: out.join(""), err: err.join("") };
}
