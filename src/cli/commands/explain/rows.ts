import { wrapText } from "../../../format/text/wrapping.ts";

/** One labelled row: a text is wrapped, and a command or a link stays whole, since it is copied. */
export type Row = { readonly label: string } & ({ readonly text: string } | { readonly command: string });

const LABEL_COLUMNS = 11;

export function formatRows(rows: readonly Row[], width: number): readonly string[] {
  return rows.flatMap((row) => {
    const lead = (row.label === "" ? "" : `${row.label}:`).padEnd(LABEL_COLUMNS);
    return "command" in row ? [`${lead}${row.command}`] : wrapText(lead, row.text, width);
  });
}
