import { FailedError, formatError } from "../../model/errors.ts";
import { toVisibleOutput } from "../../model/visible-text.ts";
import { publish } from "../../publish/atomic-file.ts";
import { hasColour, type Io } from "../io/io.ts";
import { hasLinks } from "../io/terminal-links.ts";
import type { OutputFile, Outputs } from "../settings/outputs.ts";

/** How a text may look. */
export type Style = { readonly colour: boolean; readonly links: boolean; readonly width: number };

/** Writes a result to its files, and then to stdout for the next program. Colours and links are for terminals. */
export async function printResult<Format>(
  { stdout, files }: Outputs<Format>,
  formatAs: (format: Format, style: Style) => string,
  io: Io,
): Promise<void> {
  await writeOutputFiles(files, (format) => formatAs(format, getPlainStyle(io)));
  const style = { colour: hasColour(io), links: hasLinks(io), width: io.width };
  const write = style.colour || style.links ? io.outStyled : io.out;
  write(formatAs(stdout, style));
}

/** Of a text for a file. */
export function getPlainStyle({ width }: Io): Style {
  return { colour: false, links: false, width };
}

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
