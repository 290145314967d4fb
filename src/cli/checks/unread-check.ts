import type { FileText } from "../../files/yaml-files.ts";
import { type Check, defineCheck } from "../../model/check.ts";

type UnreadFile = Extract<FileText, { readonly kind: "unread" }>;

/** The check that stands for the files that can't be read: nobody knows what is in them. None if all can be read. */
export function buildUnreadCheck(files: readonly UnreadFile[]): readonly Check[] {
  const [first] = files;
  if (first === undefined) return [];
  const check = defineCheck({
    id: "site-files",
    title: "The files of the administrator's checks can be read",
    origin: { kind: "site", file: first.name },
    risks: [],
    applies: { kind: "updates", kinds: ["patch", "minor", "rollback"] },
    platforms: ["openshift", "kubernetes"],
    reads: () => ({}),
    evaluate: () => ({
      unknowns: files.map(({ name, message }) => ({ reason: "CheckNotLoaded", where: name, message })),
    }),
  });
  return [check];
}
