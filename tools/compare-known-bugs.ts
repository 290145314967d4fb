// npm run known-bugs:compare -- DIR compares a checkout of the update service's graph data with the list of known bugs, and
// npm run known-bugs:compare -- --against LIST another list. With --list LIST, that one is compared instead of the built-in one.
import { compareKnownBugs } from "./known-bugs/compare-command.ts";

process.exitCode = await compareKnownBugs(process.argv.slice(2), { out: console.log, err: console.error });
