/** The texts of outputs, by their names. */
export type Outputs = Readonly<Record<string, string>>;

/** A view in all formats of a kind, by the kind and the format; `quiet` has no more than names. */
export function formatAll<View>(
  kind: string,
  formats: Readonly<Record<string, (view: View) => string>>,
  view: View,
): Outputs {
  const shown = Object.entries(formats).filter(([name]) => name !== "quiet");
  return Object.fromEntries(shown.map(([name, format]) => [`${kind} ${name}`, format(view)]));
}
