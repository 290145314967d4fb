/** The texts of outputs, by their names. */
export type Outputs = Readonly<Record<string, string>>;

/** A view in all formats of a kind, by the kind and the format. */
export function formatAll<View>(
  kind: string,
  formats: Readonly<Record<string, (view: View) => string>>,
  view: View,
): Outputs {
  return Object.fromEntries(Object.entries(formats).map(([name, format]) => [`${kind} ${name}`, format(view)]));
}
