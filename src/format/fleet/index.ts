import type { FleetMatrix } from "../../model/fleet.ts";
import { formatMarkdown } from "../text/markdown.ts";
import { formatFleetCsv } from "./fleet-csv.ts";
import { type FleetPageOptions, formatFleetHtml } from "./fleet-html.ts";
import { formatFleetJson } from "./fleet-json.ts";
import { buildFleetPage } from "./fleet-page.ts";
import { formatFleetTable, type FleetTableOptions } from "./fleet-table.ts";

export type FleetFormatOptions = FleetTableOptions & FleetPageOptions & { readonly runnerVersion: string };

/** The output formats of a fleet, by name. */
export const fleetFormats = {
  table: formatFleetTable,
  markdown: (matrix) => formatMarkdown(buildFleetPage(matrix)),
  html: formatFleetHtml,
  csv: formatFleetCsv,
  json: (matrix, { runnerVersion }) => formatFleetJson(matrix, runnerVersion),
} as const satisfies Readonly<Record<string, (matrix: FleetMatrix, options: FleetFormatOptions) => string>>;
