import * as fs from "node:fs";
import { promisify } from "node:util";

// What short commands do with files: node:fs/promises and streams of files load eight more modules of Node, which takes longer than that.
export const close = promisify(fs.close);
export const fstat = promisify(fs.fstat);
export const mkdtemp = promisify(fs.mkdtemp);
export const open = promisify(fs.open);
export const opendir = promisify(fs.opendir);
export const read = promisify(fs.read);
export const realpath = promisify(fs.realpath.native);
export const rm = promisify(fs.rm);
export const stat = promisify(fs.stat);
export const writeFile = promisify(fs.writeFile);
