import type { CommandDefinition, CommandValues } from "../../settings/command.ts";
import { registrySettings } from "../../settings/release-settings.ts";

export const packChecks = {
  name: "checks pack",
  describe: "Pack checks, or a list of known bugs, as an artefact for a registry (OCI layout)",
  settings: {
    output: {
      alias: "o",
      group: "output",
      placeholder: "FILE",
      isRequired: true,
      describe: "File to write, which ends with .tar; the same input gives the same bytes",
    },
    name: { group: "checks", placeholder: "NAME", describe: "Name of the pack: small letters, digits and dashes" },
    "pack-version": {
      group: "checks",
      placeholder: "VERSION",
      describe: "Version of the pack, such as 1.2.3: give a later one whenever its checks change",
    },
    requires: {
      group: "checks",
      placeholder: "VERSION",
      describe: "First version of preflight that can run the pack; an earlier one reports its checks as unknown",
      defaultText: "any",
    },
    index: {
      group: "output",
      placeholder: "FILE",
      describe: "Index to list the pack in, with its digest; written if it does not exist",
    },
    claim: {
      group: "output",
      placeholder: "FILE",
      describe: "File for what the pack's author signs: gpg --output PACK.sig --sign FILE",
    },
  },
  operand: {
    name: "folder",
    placeholder: "DIR",
    describe: "Folder with checks and their cases, or with a list of known bugs",
  },
  examples: [
    { command: "preflight checks pack bugs -o bugs.tar", describe: "Pack a list of known bugs, and print its digest" },
    {
      command: "preflight check --known-bugs bugs.tar --to 4.20",
      describe: "Use it, without a registry",
    },
    {
      command:
        "preflight checks pack checks -o widgets-1.2.3.tar --name widgets --pack-version 1.2.3 --index index.yaml",
      describe: "Pack checks, and list them in an index",
    },
  ],
  exitCodes: {
    0: "the file is written",
    1: "a file can't be read or written",
    2: "wrong usage",
    3: "a check or an entry has an error",
  },
  process: "long",
} as const satisfies CommandDefinition;

export type PackChecksValues = CommandValues<typeof packChecks>;

const INDEX = {
  group: "checks",
  placeholder: "FILE",
  describe: "Index of packs, as 'preflight checks pack' writes it",
} as const;

export const pullChecks = {
  name: "checks pull",
  describe: "Verify a pack of checks, and write its files to a folder",
  settings: {
    "dest-dir": {
      alias: "o",
      group: "output",
      placeholder: "DIR",
      isRequired: true,
      describe: "Folder to write the checks and their cases to, which is new or empty",
    },
    index: INDEX,
    key: {
      group: "checks",
      placeholder: "FILE",
      describe: "Public key of the pack's author (OpenPGP, RSA): without its signature nothing is written",
    },
    signature: {
      group: "checks",
      placeholder: "FILE",
      describe: "Signature of the pack",
      defaultText: "the one that the index names",
    },
    ...registrySettings,
  },
  operand: {
    name: "pack",
    placeholder: "PACK",
    describe: "NAME or NAME@VERSION of the index; without one, FILE.tar, DIR or oci://HOST/REPOSITORY@sha256:...",
  },
  examples: [
    {
      command: "preflight checks pull widgets@1.2.3 --index index.yaml --key widgets.pub --dest-dir checks",
      describe: "Pull a pack that an index lists and its author signed",
    },
    { command: "preflight check --checks checks --to 4.20", describe: "Run its checks" },
  ],
  exitCodes: {
    0: "the files are written",
    1: "the pack can't be read or is not what was expected",
    2: "wrong usage",
    3: "a check has an error, or needs a later preflight",
  },
  process: "long",
} as const satisfies CommandDefinition;

export type PullChecksValues = CommandValues<typeof pullChecks>;

export const listPacks = {
  name: "checks list",
  describe: "List the packs of an index, with their versions and digests",
  settings: {
    index: { ...INDEX, isRequired: true },
    output: {
      alias: "o",
      group: "output",
      choices: ["table", "json"],
      default: "table",
      describe: "Output format",
    },
  },
  examples: [{ command: "preflight checks list --index index.yaml", describe: "List the packs that can be pulled" }],
  exitCodes: { 0: "success", 1: "the index can't be read", 2: "wrong usage" },
  process: "long",
} as const satisfies CommandDefinition;

export type ListPacksValues = CommandValues<typeof listPacks>;
