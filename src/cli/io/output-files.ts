import { FailedError, formatError } from "../../model/errors.ts";
import { toVisibleOutput } from "../../model/visible-text.ts";
import { publish } from "../../publish/atomic-file.ts";
import type { OutputFile } from "../settings/outputs.ts";

/** Each file is one whole result at any time: an earlier one stays until it is replaced. */
export async function writeOutputFiles<Format>(
  files: readonly OutputFile<Format>[],
  formatAs: (format: Format) => string,
): Promise<void> {
  for (const { format, file } of files) {
    try {
      await publish(file, toVisibleOutput(formatAs(format)));
    } catch (thrown) {
      throw new FailedError(`the file ${file} can't be written: ${formatError(thrown)}`);
    }
  }
}
