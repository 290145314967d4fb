/** A source file: its path relative to the project's folder, with slashes, and its text. */
export type SourceFile = { readonly path: string; readonly text: string };

/** Stands for an import whose module is computed, so that nobody can tell what it is. */
export const COMPUTED = "(computed)";

const IMPORT_PATTERNS = [
  /^\s*(?:import|export)\b(?:\{[^};]*\}|[^;"'`{])*?\bfrom\s*["']([^"']+)["']/gm,
  /^\s*import\s*["']([^"']+)["']/gm,
  /\b(?:import|require)\s*\(\s*["']([^"']+)["']/g,
];
const COMPUTED_IMPORT = /\b(?:import|require)\s*\(\s*(?!["'])/;

/** The imports of a file, including types and dynamic imports. Assumes formatted code, in which a statement begins its line. */
export function parseImports(text: string): readonly string[] {
  const code = text.replaceAll(/^\s*(?:\/\/|\/?\*).*$/gm, "");
  const named = IMPORT_PATTERNS.flatMap((pattern) =>
    [...code.matchAll(pattern)].map(([, specifier]) => specifier ?? ""),
  );
  return COMPUTED_IMPORT.test(code) ? [...named, COMPUTED] : named;
}

/** Those that are done when the file is loaded: neither types nor dynamic imports. */
export function parseRunTimeImports(text: string): readonly string[] {
  const statements = text.matchAll(/^(?:import|export)\b(?!\s+type\b)([^;"]*?)\bfrom\s*"([^"]+)"/gm);
  return [...statements].flatMap(([, names = "", specifier = ""]) => {
    const listed = /\{([^}]*)\}/.exec(names)?.[1]?.split(",") ?? ["*"];
    const isType = listed.every((name) => /^\s*(?:type\s.*)?$/.test(name));
    return isType ? [] : [specifier];
  });
}
