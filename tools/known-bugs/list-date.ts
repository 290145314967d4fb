import { resolve } from "node:path";
import { run } from "../../verify/shared/run.ts";

/** The state of the data that a list is compared with. `commit`: absent if the folder is no clone. */
export type DataState = { readonly date?: string; readonly commit?: string };

/** The commit of a clone, and its day. */
export async function readDataState(folder: string): Promise<DataState> {
  try {
    const top = (await run("git", ["rev-parse", "--show-toplevel"], folder)).trim();
    if (resolve(top) !== resolve(folder)) return {};
    const [commit, date] = (await run("git", ["log", "-1", "--abbrev=9", "--format=%h %cs"], folder)).trim().split(" ");
    return commit === undefined || date === undefined ? {} : { commit, date };
  } catch {
    return {};
  }
}

/** The head of a list with the day, and the commit, of the data that it was compared with. Its comments and the rest stay. */
export function setListDate(head: string, { date, commit }: DataState): string {
  if (date === undefined) return head;
  const dated = head.replace(/^(\s*date:).*$/m, `$1 "${date}"`);
  return dated.replace(/^(\s*source:)\s*(\S+)$/m, (_, key: string, source: string) => {
    const [name = ""] = source.split("@");
    return `${key} ${name}${commit === undefined ? "" : `@${commit}`}`;
  });
}
