const PACKAGE_FOLDER = /^.*(?:^|\/)node_modules\/(?:@[^/]+\/)?[^/]+/;

/** The folder of the package that a file is in; undefined for the project's own files. */
export function findPackageFolder(path: string): string | undefined {
  return PACKAGE_FOLDER.exec(path)?.[0];
}

/** The folders of the packages that a bundle's inputs are in, sorted. Where node_modules is a link, esbuild names what it leads to. */
export function listPackageFolders(inputs: readonly string[]): readonly string[] {
  return [...new Set(inputs.flatMap((input) => findPackageFolder(input) ?? []))].toSorted();
}
