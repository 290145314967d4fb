import { parse as parseCsv } from "csv-parse/sync";
import { load } from "js-yaml";
import { parse as parseJunit } from "junit2json";
import type { FormatName } from "../../../src/format/index.ts";

const readAsText = (text: string): unknown => text;
const parseJson = (text: string): unknown => JSON.parse(text);

/** What a program makes of each format. Nothing parses what a person reads, or a line of which is a text. */
export const PARSERS: Readonly<Record<FormatName, (text: string) => unknown>> = {
  table: readAsText,
  wide: readAsText,
  json: parseJson,
  yaml: (text) => load(text),
  markdown: readAsText,
  html: readAsText,
  csv: (text) => parseCsv(text, { relax_column_count: true }),
  junit: (text) => parseJunit(text),
  sarif: parseJson,
  github: readAsText,
  readiness: parseJson,
  quiet: readAsText,
  "preflight-v1-json": parseJson,
};
