// npm run known-bugs:ended -- MINOR... lists the entries of the list of known bugs that concern minors alone that are out of support. No
// data of the project say which those are: it has no table of dates, and the vendor's page on its life cycles is the source.
import { KNOWN_BUGS } from "../src/checks/known-bugs/check.ts";
import { parseMinor } from "../src/model/version.ts";
import { findEnded } from "./known-bugs/ended.ts";

/** 0: no entry; 1: some, for a person to remove; 2: wrong usage. */
function main(minors: readonly string[]): number {
  if (minors.length === 0 || minors.some((minor) => parseMinor(minor) === undefined)) {
    console.error(
      "known-bugs:ended: name the minors that are out of support, by the vendor's page on its life cycles: npm run known-bugs:ended -- 4.12 4.13",
    );
    return 2;
  }
  const ended = findEnded(KNOWN_BUGS, new Set(minors));
  for (const { id, published } of ended) console.log(`${id}: ${published.join(", ")}`);
  console.log(`${ended.length} of ${KNOWN_BUGS.length} entries concern no other release.`);
  return ended.length > 0 ? 1 : 0;
}

process.exitCode = main(process.argv.slice(2));
