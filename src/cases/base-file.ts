const DEFAULT = "base.yaml";
const FILE = /^base(?:-.*)?\.yaml$/;
const NAME = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;

/** Whether a file in a folder of cases is no case, but what cases share. */
export function isBaseFile(name: string): boolean {
  return FILE.test(name);
}

/** The file that a case means by the name of its base, or by naming none; undefined if it can't be a name. */
export function getBaseFile(name: string | undefined): string | undefined {
  if (name === undefined) return DEFAULT;
  return NAME.test(name) ? `base-${name}.yaml` : undefined;
}
