import { formats, type FormatName } from "../format/index.ts";
import type { View } from "../format/view.ts";
import { FailedError, formatError, UsageError } from "../model/errors.ts";
import { publish } from "../publish/atomic-file.ts";
import { findNearestName } from "./nearest-name.ts";

/** A result to write to a file: `--report junit=result.xml`. */
export type ReportFile = { readonly format: FormatName; readonly file: string };

export function parseReportFiles(values: readonly string[]): readonly ReportFile[] {
  return values.map((value) => {
    const [name = "", ...rest] = value.split("=");
    const file = rest.join("=");
    if (file === "")
      throw new UsageError(`--report "${value}" names no file: write FORMAT=FILE, such as html=report.html`);
    if (isFormatName(name)) return { format: name, file };
    const nearest = findNearestName(name, Object.keys(formats));
    const hint =
      nearest === undefined ? `choose one of ${Object.keys(formats).join(", ")}` : `did you mean ${nearest}?`;
    throw new UsageError(`--report: no output format is called "${name}": ${hint}`);
  });
}

function isFormatName(name: string): name is FormatName {
  return Object.hasOwn(formats, name);
}

/** Each file is one whole report at any time. Colours are for terminals. */
export async function writeReportFiles(files: readonly ReportFile[], view: View): Promise<void> {
  for (const { format, file } of files) {
    try {
      await publish(file, formats[format]({ ...view, colour: false }));
    } catch (thrown) {
      throw new FailedError(`the report ${file} can't be written: ${formatError(thrown)}`);
    }
  }
}
