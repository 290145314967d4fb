import { formats as checkFormats } from "../../../src/format/index.ts";

/** The formats of `check` that say why: `quiet` has names alone. */
export const TELLING: readonly string[] = Object.keys(checkFormats).filter((name) => name !== "quiet");

/** The texts of outputs, by their names. */
export type Outputs = Readonly<Record<string, string>>;

/** A view in all formats of a kind that have texts of others, by the kind and the format: `quiet` has names alone. */
export function formatAll<View>(
  kind: string,
  formats: Readonly<Record<string, (view: View) => string>>,
  view: View,
): Outputs {
  const entries = Object.entries(formats).filter(([name]) => name !== "quiet");
  return Object.fromEntries(entries.map(([name, format]) => [`${kind} ${name}`, format(view)]));
}
