import { spawnSync } from "node:child_process";
import { chownSync, mkdtempSync, readdirSync, rmSync, chmodSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import type { TestContext } from "node:test";

/** A user id that nobody has: for what belongs to somebody else, and to run as somebody else. */
export const OTHER_USER = 12345;

const isRoot = process.geteuid?.() === 0;
/** Only root can give files to another user. */
export const needsRoot = { skip: !isRoot && "only root can give files to another user" };
/** The project may be in a folder that only its owner can enter. */
export const needsOtherUser = { skip: !canRunAsOther() && `nothing can be run as user ${OTHER_USER} here` };

function canRunAsOther(): boolean {
  if (!isRoot) return false;
  const args = ["-e", `require("node:fs").accessSync(${JSON.stringify(import.meta.filename)})`];
  return spawnSync(process.execPath, args, { uid: OTHER_USER, gid: OTHER_USER, stdio: "ignore" }).status === 0;
}

/** A folder that every user can enter; it is removed when the test ends. */
export function createSharedFolder(t: TestContext, mode = 0o755): string {
  const folder = mkdtempSync(join(tmpdir(), "preflight-shared-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  chmodSync(folder, mode);
  return folder;
}

/** Gives a folder with all that is in it to a user. */
export function giveTo(user: number, path: string): void {
  chownSync(path, user, user);
  for (const entry of readdirSync(path, { recursive: true, withFileTypes: true }))
    chownSync(join(entry.parentPath, entry.name), user, user);
}
