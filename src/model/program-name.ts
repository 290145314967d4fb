import { mapTexts } from "./visible-text.ts";

/** What texts call this program, and what its documents always call it. */
export const PROGRAM = "preflight";

/** The first words of all commands. */
export const COMMAND_WORDS = `
  accept cancel check checks compare completion controller crds explain fleet help list manifests mcp
  plan playbook rbac record request status update-status-controller validate version`
  .trim()
  .split(/\s+/);

/** A command line; but not "the preflight checks", which is a run of the program. */
const CALL = new RegExp(
  `(?<![\\w-]|\\b(?:an?|another|each|earlier|every|[Nn]o|requested|[Tt]he|this) )preflight (?=-|COMMAND\\b|(?:${COMMAND_WORDS.join("|")})(?![\\w-]))`,
  "g",
);
/** The program as the speaker of a line. */
const SPEAKER = /^preflight(?=: )/gm;

/** The text with the program as the user calls it. */
export function replaceProgram(text: string, program: string): string {
  return program === PROGRAM ? text : text.replaceAll(SPEAKER, program).replaceAll(CALL, `${program} `);
}

/** All texts of a plain value, with the program as the user calls it. */
export function replaceProgramIn<T>(value: T, program = PROGRAM): T {
  return program === PROGRAM ? value : mapTexts(value, (text) => replaceProgram(text, program));
}
