import { UsageError } from "../../model/errors.ts";
import { formatDidYouMean } from "../../model/nearest-name.ts";

/** A result to write to a file: `-o junit=result.xml`. */
export type OutputFile<Format> = { readonly format: Format; readonly file: string };

/** What `--output` asks for: the format on stdout, and those of files. */
export type Outputs<Format> = { readonly stdout: Format; readonly files: readonly OutputFile<Format>[] };

/** Parses values such as "json" and "html=report.html". `preset`: for stdout, if no value names a format without a file. */
export function parseOutputs<Format extends string>(
  flag: string,
  values: readonly string[],
  formats: readonly Format[],
  preset: Format,
): Outputs<Format> {
  const outputs = values.map((value) => parseOutput(flag, value, formats));
  const [stdout, ...others] = outputs.flatMap(({ format, file }) => (file === undefined ? format : []));
  if (others.length > 0)
    throw new UsageError(
      `--${flag}: ${[stdout, ...others].join(" and ")} would both go to stdout: write FORMAT=FILE for all but one`,
    );
  const files = outputs.flatMap(({ format, file }) => (file === undefined ? [] : { format, file }));
  const repeated = files.find(({ file }, i) => files.findIndex((other) => other.file === file) < i);
  if (repeated !== undefined) throw new UsageError(`--${flag}: several formats would go to the file ${repeated.file}`);
  return { stdout: stdout ?? preset, files };
}

function parseOutput<Format extends string>(flag: string, value: string, formats: readonly Format[]) {
  const end = value.indexOf("=");
  const name = end < 0 ? value : value.slice(0, end);
  const format = formats.find((one) => one === name);
  if (format === undefined)
    throw new UsageError(
      `--${flag}: no output format is called "${name}"${formatDidYouMean(name, formats) || `: choose one of ${formats.join(", ")}`}`,
    );
  if (end === value.length - 1)
    throw new UsageError(`--${flag} "${value}" names no file: write FORMAT=FILE, such as ${name}=report.${name}`);
  return { format, file: end < 0 ? undefined : value.slice(end + 1) };
}
