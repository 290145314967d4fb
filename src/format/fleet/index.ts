import { formatMarkdown } from "../text/markdown.ts";
import type { Fleet } from "./fleet.ts";
import { type FleetPageOptions, formatFleetHtml } from "./fleet-html.ts";
import { buildFleetPage } from "./fleet-page.ts";
import { formatFleetCsv, formatFleetJson } from "./fleet-programs.ts";
import { formatFleetTable, type FleetTableOptions } from "./fleet-table.ts";

export type FleetFormatOptions = FleetTableOptions & FleetPageOptions & { readonly runnerVersion: string };

/** The output formats of a fleet, by name. */
export const fleetFormats = {
  table: formatFleetTable,
  markdown: (fleet) => formatMarkdown(buildFleetPage(fleet)),
  html: formatFleetHtml,
  csv: formatFleetCsv,
  json: (fleet, { runnerVersion }) => formatFleetJson(fleet, runnerVersion),
} as const satisfies Readonly<Record<string, (fleet: Fleet, options: FleetFormatOptions) => string>>;
