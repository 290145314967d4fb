import type { SourceFile } from "../../verify/shared/imports.ts";

const DECLARATION = /^(export )?(?:declare )?(?:type|interface|class) (\w+)/gm;

type Declared = { readonly name: string; readonly path: string; readonly isExported: boolean };

/** Exported types with the name of another one, and a file's own with the name of one of src/model, as sentences that name both places. */
export function findRepeatedTypeNames(sources: readonly SourceFile[]): readonly string[] {
  const declared = sources.flatMap(({ path, text }) =>
    [...text.matchAll(DECLARATION)].map(([, word, name = ""]): Declared => ({
      name,
      path,
      isExported: word !== undefined,
    })),
  );
  const exported = Map.groupBy(
    declared.filter(({ isExported }) => isExported),
    ({ name }) => name,
  );
  return declared.flatMap(({ name, path, isExported }) => {
    const others = (exported.get(name) ?? []).filter((other) => other.path !== path);
    const first = others.find((other) => (isExported ? other.path < path : other.path.startsWith("src/model/")));
    return first === undefined ? [] : [`${name} is declared in ${first.path} and in ${path}`];
  });
}
