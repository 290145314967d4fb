import { mkdir, rename, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";

/** As the kubelet replaces the files of a ConfigMap. */
export async function mountFiles(
  place: string,
  version: string,
  files: Readonly<Record<string, string>>,
): Promise<void> {
  await mkdir(join(place, `..${version}`), { recursive: true });
  for (const [name, text] of Object.entries(files)) {
    await writeFile(join(place, `..${version}`, name), text);
    await rm(join(place, name), { force: true });
    await symlink(join("..data", name), join(place, name));
  }
  await symlink(`..${version}`, join(place, "..data_tmp"));
  await rename(join(place, "..data_tmp"), join(place, "..data"));
}
